"""A league in this process: `arena.league(MyBot, "house:greedy", "house:search")`."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from arena.league.boards import board_seed, entropy
from arena.league.errors import PairingError
from arena.league.methods.registry import method_of
from arena.league.results import score_plan
from arena.league.rounds import next_round
from arena.league.spec import BoardSets, Division, Entry, LeagueSpec
from arena.league.table_row import TableRow, rows_of
from arena.league.tables import DivisionTable, LeagueTable, league_table
from arena.league.values import Entrant, Finished, MatchPlan, PlayedRound
from arena.match.model import MatchSpec
from arena.playing.bots import BotLike, Players, names_of, what_bots_raise
from arena.playing.match import PlayedMatch
from arena.playing.progress import bar
from arena.simulate import play_out
from arena.web.report.league import LeagueReport, Match, best_matches, fragment, page
from core_ext import State, parse_seed, variant_info


@dataclass(frozen=True, repr=False)
class PlayedLeague:
    """A league that was played. In a notebook it draws its table, its ratings and who beat whom.

    `rounds` have the outcome of each match as the league counts it; `matches` are the matches, in the same order.
    """

    spec: LeagueSpec
    seed: str
    rounds: tuple[PlayedRound, ...]
    matches: tuple[PlayedMatch, ...]

    @cached_property
    def tables(self) -> LeagueTable:
        """All that the league counts."""
        entrants = [Entrant(entry.name) for entry in self.spec.entries]
        [division] = self.spec.divisions
        return league_table(self.spec, {division.variant: (entrants, self.rounds)})

    @property
    def table(self) -> DivisionTable:
        """The table with its tie-breaks, ratings and margins."""
        return self.tables.divisions[0]

    @property
    def rows(self) -> tuple[TableRow, ...]:
        """The table's rows, the best first: `row.bot`, `row.match_points`, `row.rating` and all the rest."""
        return rows_of(self.table)

    def save(self, path: str | Path) -> Path:
        """Write a report of the league, one page that needs no network. OSError."""
        path = Path(path)
        path.write_text(page(self._report()), encoding="utf-8")
        return path

    def _report(self) -> LeagueReport:
        of_id = {match.spec.match_id: match for match in self.matches}
        matches = [
            Match(
                outcome_id,
                match.variant,
                int(outcome_id.split(".r")[-1].partition(".")[0]),
                match.bots,
                match.results,
            )
            for outcome_id, match in of_id.items()
        ]
        best = [(best, of_id[best.match.id].record) for best in best_matches(self.tables, matches)]
        facts = (("seed", self.seed), ("matches", str(len(matches))))
        return LeagueReport(self.spec.name, facts, self.tables, matches, best)

    def __str__(self) -> str:
        places = ", ".join(f"{row.rank} {row.bot} {row.match_points:g}" for row in self.rows)
        return f"{self.table.variant}, {len(self.rounds)} rounds, {len(self.matches)} matches: {places}"

    def __repr__(self) -> str:
        return f"<PlayedLeague {self}>"

    def _repr_html_(self) -> str:
        return fragment(self.spec.name, self.table)


def league(
    *bots: BotLike | Mapping[str, BotLike],
    variant: str = "koikoi",
    rounds: int = 5,
    boards: int = 4,
    seats: int | None = None,
    pairing: str | None = None,
    bracket: int | None = None,
    board_sets: BoardSets = "mirror",
    options: Mapping[str, object] | None = None,
    name: str = "league",
    seed: str | int | None = None,
    progress: bool = True,
) -> PlayedLeague:
    """Play a league in this process, without a server or a store, and return it.

    `bots` are those that enter, or a dict of them by the names that the table gives them. The rest is as in a league
    file; the `seed` takes the place of its secret. An object plays all matches of its bot, of a class a new one is made
    for each. What a bot raises is raised, with a note that says at which decision.

    Raises UnknownHouseBotError, CoreError where there is no such variant, option or number of seats, and PairingError.
    """
    entered = _entered(bots)
    number = variant_info(variant).seats[-1] if seats is None else seats
    chosen = dict(options or {})
    State.new(variant, chosen, "check", number)
    division = Division(variant, number, rounds, boards, board_sets, chosen, pairing, bracket)  # type: ignore[arg-type]
    fault = method_of(division).field_fault(division, len(entered))
    if fault is None and len(entered) < min(division.sizes):
        fault = f"{variant} with {number} seats needs at least {min(division.sizes)} bots, not {len(entered)}"
    if fault is not None:
        raise PairingError(fault)
    text = secrets.token_hex(32) if seed is None else str(seed)
    entries = tuple(Entry(bot, bot, bot, (variant,)) for bot in entered)
    spec = LeagueSpec(name=name, entries=entries, divisions=(division,), lot=name)
    return _played(spec, division, text, Players(entered), progress=progress)


def _entered(bots: Sequence[BotLike | Mapping[str, BotLike]]) -> dict[str, BotLike]:
    """Return the bots by the names that the table gives them."""
    named = {name: bot for group in bots if isinstance(group, Mapping) for name, bot in group.items()}
    others = [bot for bot in bots if not isinstance(bot, Mapping)]
    return named | dict(zip(names_of(others), others, strict=True))


def _played(spec: LeagueSpec, division: Division, seed: str, players: Players, *, progress: bool) -> PlayedLeague:
    secret, drawn = parse_seed(seed), entropy({})
    entrants = [Entrant(entry.name) for entry in spec.entries]
    rounds: list[PlayedRound] = []
    matches: list[PlayedMatch] = []

    def played(plan: MatchPlan, match_name: str) -> PlayedMatch:
        cards = board_seed(secret, spec.name, division.variant, plan.round, plan.board, drawn)
        match_id = f"{spec.name}.{division.variant}.r{plan.round}.{match_name}"
        match = MatchSpec(
            match_id, division.variant, cards, plan.seating, division.options, salts=plan.seating, shared=True
        )
        with what_bots_raise(match):
            return PlayedMatch(match, cards.hex(), play_out(match, [players.of(bot) for bot in plan.seating]).result())

    with bar(division.rounds, "rounds", shown=progress) as shown:
        while not isinstance(plan := next_round(spec, division, entrants, rounds), Finished):
            outcomes = []
            for table in plan.tables:
                for match_name, match_plan in table.named():
                    match = played(match_plan, match_name)
                    outcomes.append(score_plan(match_plan, match.results, match.result.end.value))
                    matches.append(match)
                    shown.update(1 / len(plan.matches))
            rounds.append(plan.close(tuple(outcomes)))
    return PlayedLeague(spec, seed, tuple(rounds), tuple(matches))
