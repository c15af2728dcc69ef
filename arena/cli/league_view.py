"""A league in the terminal: how far it is, and its table."""

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table as Grid

from arena.league.spec import LeagueSpec
from arena.league.statistics import Estimate
from arena.league.tables import DivisionTable
from arena.store import League

_BAR = 24


def progress_line(spec: LeagueSpec, league: League) -> str:
    """One line: the round, its matches, the matches so far."""
    rounds = spec.division().rounds
    if not league.round:
        return f"{spec.name}: entries are in, round 1 is being paired"
    done = league.matches - league.outstanding
    filled = _BAR * done // max(league.matches, 1)
    bar = "━" * filled + "╌" * (_BAR - filled)
    return f"{spec.name}: round {league.round}/{rounds} {bar} {done}/{league.matches} matches, {league.played} in all"


def round_line(spec: LeagueSpec, league: League) -> str:
    """One line as a round begins, for an output that is no terminal."""
    if not league.round:
        return f"{spec.name}: entries are in, round 1 is being paired"
    return f"{spec.name}: round {league.round}/{spec.division().rounds}, {league.played} matches played"


def standings(spec: LeagueSpec, table: DivisionTable) -> RenderableType:
    """The table: points, tie-breaks in their order, the mean margin of a match with its 95 % error bars."""
    division = spec.division()
    grid = Grid(
        title=f"{spec.name} · {division.variant} · after {_rounds(table.rounds)}",
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
    )
    grid.add_column("#", justify="right")
    grid.add_column("bot", overflow="fold")
    for name in ("MP", "GP", "BH-1", "BH", "SB", "DE"):
        grid.add_column(name, justify="right")
    grid.add_column("W-D-L", justify="right")
    grid.add_column("margin (95 %)", justify="right", no_wrap=True)
    for row in table.standings:
        grid.add_row(
            str(row.rank),
            row.name + _remarks(row.forfeits, row.byes),
            str(row.match_points),
            _halves(row.game_points),
            str(row.buchholz_cut_1),
            str(row.buchholz),
            str(row.sonneborn_berger),
            str(row.direct_encounter),
            f"{row.won}-{row.drawn}-{row.lost}",
            interval(table.margins.get(row.name)),
        )
    return grid


def interval(estimate: Estimate | None) -> str:
    """A mean with its interval: `+3.42 [+1.1, +5.7]`."""
    if estimate is None:
        return "–"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.mean:+.2f}"
    return f"{estimate.mean:+.2f} [{estimate.low:+.1f}, {estimate.high:+.1f}]"


def print_result(console: Console, spec: LeagueSpec, league: League, table: DivisionTable, where: str) -> None:
    """The final table, what mirroring gave, and where the proof is."""
    console.print(standings(spec, table))
    console.print(
        "MP match points (2 a table won) · GP game points (1 a match won) · BH-1, BH Buchholz · "
        "SB Sonneborn-Berger · DE direct encounter · margin: points a match, mean with 95 % error bars",
        style="dim",
    )
    if table.mirroring is not None:
        factor = table.mirroring.factor
        console.print(
            f"Mirrored games: correlation {table.mirroring.correlation:+.2f} over {table.mirroring.board_sets} board "
            "sets" + (f"; they do the work of {factor:.2f} times as many unmirrored games" if factor else ""),
        )
    if league.test:
        console.print("This is a test: its file fixes the secret, so its owner could know the cards.", style="bold")
    if league.secret is not None:
        console.print(
            f"Secret {league.secret.hex()}\nits SHA-256, published before entries opened: {league.commitment}"
        )
    console.print(where, highlight=False, soft_wrap=True)


def _rounds(number: int) -> str:
    return f"{number} round" if number == 1 else f"{number} rounds"


def _halves(half_points: int) -> str:
    return f"{half_points / 2:g}"


def _remarks(forfeits: int, byes: int) -> str:
    remarks = [f"{forfeits} forfeited"] * bool(forfeits) + ["bye"] * bool(byes)
    return f" ({', '.join(remarks)})" if remarks else ""
