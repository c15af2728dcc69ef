"""A league in the terminal: how far it is, and its tables."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from msgspec import UNSET
from rich import box
from rich.console import Console, RenderableType
from rich.table import Table as Grid

from arena.cli.fitting import Fitting
from arena.cli.infos import Troubles, division_of, matches_played, state_of, variants_of, versions_of
from arena.cli.targets import StoreOptions
from arena.cli.values import SHORT
from arena.league.estimates import NONE, RATINGS_NOT_YET, Interval, rating_text
from arena.league.plurals import pluralize
from arena.league.table_row import COLUMNS, Shown, columns_of, rows_of
from arena.league.tables import DivisionTable, LeagueTable
from arena.names import is_season
from hanafuda.arena.v1.league_pb2 import BOARD_SETS_MIRROR, League, LeagueDivision

_BAR = 24
_FIRST_LEFT_OUT = ("DE", "SB", "BH-1", "BH", "m-rating", "best", "GP", "margin")
"""Headings of columns that a narrow terminal does without, those that tell least first."""
_LEGEND = Shown.TERMINAL | Shown.RATINGS | Shown.ADJUSTED


def progress_lines(league: League, divisions: Iterable[LeagueDivision], target: StoreOptions | None) -> list[str]:
    """A line for each of these divisions: the round, its matches, the matches so far.

    `target` is the store whose operator reads the lines, None for anybody else: only an operator is told what to do.
    """
    return [_progress(league, division, target) for division in divisions]


def round_lines(league: League, target: StoreOptions | None) -> list[str]:
    """A line for each division that changes as a round begins, for an output that is no terminal."""
    return [_round(league, division, target) for division in league.divisions]


def _progress(league: League, division: LeagueDivision, target: StoreOptions | None) -> str:
    if not division.round or state_of(division.status) not in ("running", "finished"):
        return _round(league, division, target)
    done = division.round_matches - division.round_matches_left
    filled = _BAR * done // max(division.round_matches, 1)
    bar = "━" * filled + "╌" * (_BAR - filled)
    head = f"{_title(league, division)}: round {division.round}/{division.rounds}"
    return f"{head} {bar} {done}/{_matches(division.round_matches)}, {division.matches_played} in all"


def _round(league: League, division: LeagueDivision, target: StoreOptions | None) -> str:
    title, state = _title(league, division), state_of(division.status)
    if state == "paused" and target is not None:
        return f"{title}: paused; {target.command(f'league resume {league.name}')} resumes it"
    if state in ("paused", "cancelled"):
        return f"{title}: {state}"
    if state == "open":
        return f"{title}: open, bots may enter"
    if not division.round:
        return f"{title}: entries are in, round 1 is being paired"
    if state == "finished":
        return f"{title}: over after round {division.round}, {_matches(division.matches_played)} played"
    # The matches of the rounds before: a number that stands still while the round is played.
    before = division.matches_played - (division.round_matches - division.round_matches_left)
    suffix = f", {_matches(before)} played before it" if before else ""
    return f"{title}: round {division.round}/{division.rounds}{suffix}"


def _troubles(
    league: League, division: LeagueDivision, troubles: Troubles, target: StoreOptions | None
) -> Iterator[str]:
    """What to say of a round on which no node works, or whose jobs were given up."""
    title = f"{league.name} · {division.variant}"
    needs = " and ".join(division.waits_for)
    lacking = f"; its bots need one that can cage bots and offers {needs}" if needs else ""
    if target is not None and division.variant in troubles.idle:
        runs = "" if is_season(league.name) else f"{target.command('league run FILE')}, with the league's file, or "
        goes_on = f"{runs}{target.command('serve')} goes on with it"
        yield f"{title}: no node works on this round{lacking}: {goes_on}"
    elif needs:
        yield f"{title}: no node works on this round{lacking}"
    if division.matches_parked:
        jobs = f"{pluralize(division.matches_parked, 'job')} {'was' if division.matches_parked == 1 else 'were'}"
        fault = troubles.faults.get(division.variant)
        why = f", the first with: {fault}" if fault else ""
        then = "" if target is None else f"; fix that, then {target.command(f'league retry {league.name}')}"
        yield f"{title}: {jobs} given up{why}{then}"


def _title(league: League, division: LeagueDivision) -> str:
    return league.name if len(league.divisions) == 1 else f"{league.name} · {division.variant}"


def print_league(
    console: Console,
    league: League,
    table: LeagueTable,
    shown: Sequence[str],
    troubles: Troubles,
    target: StoreOptions | None,
    *,
    meetings: bool,
) -> None:
    """Print how far these variants' divisions are, and their tables; with `meetings`, bots against each other too.

    `troubles` is what keeps it from going on, as far as it is known. `target` is the store whose operator reads this,
    None for anybody else.
    """
    state = state_of(league.status)
    if state == "cancelled":
        console.print(f"{league.name}: cancelled, {_matches(matches_played(league))} played before that")
    elif state != "finished":
        divisions = [division for division in league.divisions if division.variant in shown]
        lines = (_troubles(league, division, troubles, target) for division in divisions)
        for line in chain(progress_lines(league, divisions, target), *lines):
            console.print(line, highlight=False)
    print_tables(console, league, table, shown)
    print_versions(console, league)
    if meetings:
        for division_table in table.divisions:
            if division_table.variant in shown and division_table.rounds:
                console.print(head_to_head(league.name, division_table))


def print_tables(console: Console, league: League, table: LeagueTable, variants: Sequence[str] | None = None) -> None:
    """The tables of these divisions (by default all), and what is counted over all where there are several."""
    shown = [division for division in table.divisions if variants is None or division.variant in variants]
    for division in shown:
        console.print(standings(league.name, division))
        _print_mirroring(console, league, division)
        print_adjusted(console, league, division)
    if any(division.rounds for division in shown):
        rated = any(division.is_rated for division in shown)
        if len(shown) > 1:
            console.print(all_round(league, table))
            if rated:
                _print_disagreement(console, table)
        if rated:
            console.print(ratings(league.name, table, shown))
        else:
            console.print(RATINGS_NOT_YET)
        console.print(legend(league, shown), style="dim")
    if league.test:
        console.print("This is a test: its file fixes the secret, so its owner could know the cards.", style="bold")


def print_versions(console: Console, league: League) -> None:
    """Which versions of submitted bots play, by the bots' names."""
    for entrant in versions_of(league):
        mark = ", reproducible" if entrant.reproducible else ""
        console.print(f"{entrant.name} is version {entrant.version[:SHORT]}{mark}", highlight=False, soft_wrap=True)


def print_result(console: Console, league: League, table: LeagueTable, where: str) -> None:
    """The final tables, and where the proof is."""
    print_tables(console, league, table)
    print_versions(console, league)
    if league.secret:
        console.print(
            f"Secret {league.secret.hex()}\nits SHA-256, published before entries opened: {league.commitment.hex()}",
            soft_wrap=True,
        )
    console.print(where, highlight=False, soft_wrap=True)


def standings(league: str, table: DivisionTable) -> RenderableType:
    """Return the table: points, tie-breaks in their order, the mean margin of a match with its 95 % error bars."""
    columns = [column for column in columns_of(table, Shown.TERMINAL) if column.name not in ("rank", "bot")]
    rows = rows_of(table)

    def draw(left_out: Sequence[str]) -> Grid:
        grid = _grid(f"{league} · {table.variant} · after {pluralize(table.rounds, 'round')}", "#")
        drawn = [column for column in columns if column.heading not in left_out]
        for column in drawn:
            grid.add_column(column.heading, justify="right", no_wrap=True)
        for row in rows:
            grid.add_row(str(row.rank), row.bot, *(column.cell(row) for column in drawn))
        return grid

    headings = {column.heading for column in columns}
    optional = [heading for heading in _FIRST_LEFT_OUT if heading in headings]
    return Fitting(draw, optional, [row.bot for row in rows])


def print_adjusted(console: Console, league: League, table: DivisionTable) -> None:
    """A table of the margins with the luck and without, where the division has defined a value that measures it."""
    adjusted = table.adjusted
    if adjusted is UNSET:
        return
    if adjusted.rounds:
        grid = _grid(
            f"{league.name} · {table.variant} · without the luck · after {pluralize(adjusted.rounds, 'round')}"
        )
        columns = columns_of(table, Shown.ADJUSTED)
        for column in columns:
            grid.add_column(column.heading, justify="right", no_wrap=True)
        for row in rows_of(table):
            grid.add_row(row.bot, *(column.cell(row) for column in columns))
        console.print(grid)
    played = division_of(league, table.variant).matches_played
    line = f"Luck by {adjusted.value.name}, SHA-256 {adjusted.value.sha256[:16]}…, fixed when the league was defined"
    if adjusted.rounds < table.rounds or adjusted.matches < played:
        line += f"; known of {adjusted.matches} of {_matches(played)} so far"
    if adjusted.factor:
        line += f"; without it these margins are worth {adjusted.factor:.1f} times as many games"
    console.print(line, highlight=False)


def head_to_head(league: str, table: DivisionTable) -> RenderableType:
    """What each bot (a row) scored against each other one (a column, by rank): match points won of those played for."""
    met = {(pair.bot, pair.opponent): pair for pair in table.head_to_head}
    ranked = [row.name for row in table.standings]
    grid = _grid(f"{league} · {table.variant} · match points against each other", "#")
    for rank in range(1, len(ranked) + 1):
        grid.add_column(str(rank), justify="right")
    for rank, name in enumerate(ranked, start=1):
        cells = (met.get((name, opponent)) for opponent in ranked)
        grid.add_row(
            str(rank), name, *("" if cell is None else f"{cell.match_points}/{2 * cell.tables}" for cell in cells)
        )
    return grid


def all_round(league: League, table: LeagueTable) -> RenderableType:
    """The table over all divisions: the share of the others of each division that a bot stands before."""
    grid = _grid(f"{league.name} · all-round", "#")
    grid.add_column("points", justify="right")
    variants = variants_of(league)
    for variant in variants:
        grid.add_column(variant, justify="right")
    for row in table.all_round:
        shares = (f"{row.divisions[variant]:.2f}" if variant in row.divisions else "–" for variant in variants)
        grid.add_row(str(row.rank), row.name, f"{row.points:.2f}", *shares)
    return grid


def ratings(league: str, table: LeagueTable, shown: Sequence[DivisionTable]) -> RenderableType:
    """Ratings with error bars, the best first: over all divisions where several are shown, then of each."""
    columns = [column for column in COLUMNS if Shown.RATINGS in column.shown]
    is_whole = len(shown) > 1
    overall = table.ratings if is_whole else shown[0].ratings
    grid = _grid(f"{league} · ratings")
    if is_whole:
        grid.add_column("over all", justify="right", no_wrap=True)
    for division in shown:
        for column in columns:
            heading = (division.variant if is_whole else "", column.heading if len(columns) > 1 or not is_whole else "")
            grid.add_column(" ".join(filter(None, heading)), justify="right", no_wrap=not is_whole)
    rows = [{row.bot: row for row in rows_of(division)} for division in shown]
    for name in sorted(overall, key=lambda name: (-overall[name].mu, name)):
        cells = [
            NONE if (row := rows_by_name.get(name)) is None else column.cell(row)
            for rows_by_name in rows
            for column in columns
        ]
        whole = [rating_text(Interval.of_rating(overall[name]))] if is_whole else []
        grid.add_row(name, *whole, *cells)
    return grid


def legend(league: League, shown: Sequence[DivisionTable], kinds: Shown = _LEGEND) -> str:
    """What the columns mean that these tables have."""
    printed = [columns_of(table, kinds) for table in shown]
    entries = [
        f"{column.heading}: {column.meaning}"
        for column in COLUMNS
        if column.meaning and any(column in columns for columns in printed)
    ]
    if any(division_of(league, table.variant).bracket for table in shown):
        entries.insert(0, "#: the places of the bracket, before the points")
    if any(not table.is_rated for table in shown if table.rounds):
        entries.append("not yet: too few boards to tell")
    return " · ".join(entries)


def _print_disagreement(console: Console, table: LeagueTable) -> None:
    """One sentence, where the points put bots in another order than the ratings do."""
    rated = [row.name for row in table.all_round if row.name in table.ratings]
    if rated != sorted(rated, key=lambda name: -table.ratings[name].mu):
        console.print(
            "Points count the bots that a bot stands before in each division, ratings every match it won and against "
            "whom, so the two put some bots in another order."
        )


def _print_mirroring(console: Console, league: League, table: DivisionTable) -> None:
    if not table.rounds:
        return
    mirroring = table.mirroring
    games = (
        "Mirrored games"
        if division_of(league, table.variant).board_sets == BOARD_SETS_MIRROR
        else "Games on the same board"
    )
    if mirroring is None:
        console.print(f"{games}: too few so far to tell how much luck they took out")
        return
    line = f"{games}: correlation {mirroring.correlation:+.2f}"
    line += f" over {pluralize(mirroring.board_sets, 'board set')}"
    if mirroring.factor:
        line += f"; they do the work of {mirroring.factor:.2f} times as many games on boards of their own"
    console.print(line)


def _grid(title: str, *before: str) -> Grid:
    """An empty table of bots, with these columns before their names."""
    grid = Grid(title=title, box=box.SIMPLE_HEAD, padding=0, min_width=len(title))
    for heading in before:
        grid.add_column(heading, justify="right")
    grid.add_column("bot", overflow="fold")
    return grid


def _matches(number: int) -> str:
    return pluralize(number, "match", "matches")
