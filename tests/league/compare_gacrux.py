"""Two-seat pairing and tie-breaks beside gacrux, an implementation of FIDE's rules, over random events.

`python tests/league/compare_gacrux.py [EVENTS]`: by default 5,000 events of 6 to 60 bots, with late entries and
withdrawals; half of the events go on as this project pairs them, half as gacrux does. Exit status 1 if gacrux was
better in a round, or a tie-break differed.

A bot is a team of one board, its table's result the match. gacrux pairs by C.04.6 without colour preferences.
"""

import random
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import groupby
from typing import Any

from league_events import play_round, won_from_each_other
from pairing_costs import swiss_cost

from arena.league.history import contenders
from arena.league.lots import Lots
from arena.league.pairing import Contender, Cost, pair
from arena.league.reader import parse_league
from arena.league.results import DRAW, WIN, table_points
from arena.league.rounds import matches, next_round
from arena.league.spec import Division
from arena.league.standings import final_table, separate
from arena.league.values import Entrant, PlayedRound, RoundPlan, Seating, TablePlan

EVENTS = 5_000
ONE_BOARD = Division(boards=1)
TIE_BREAKS = ("PTS", "BH/C1", "BH", "SB", "DE")
LETTERS = {WIN: "W", DRAW: "D", 0: "L"}
POINTS = {
    "W": Decimal(WIN), "D": Decimal(DRAW), "L": Decimal(0), "Z": Decimal(0),
    "F": "W", "H": "D", "P": "W", "A": "D", "U": "Z",
}  # fmt: skip


@dataclass
class Tally:
    """What a number of events showed."""

    rounds: int = 0
    tables: int = 0
    same: int = 0
    impossible: int = 0
    better: int = 0
    worse: list[str] = field(default_factory=list)
    terms: Counter[str] = field(default_factory=Counter)
    differing: list[str] = field(default_factory=list)


def event(number: int, tally: Tally, most_bots: int = 60) -> None:
    """Play a random event, compare each of its rounds and its final tie-breaks."""
    rng = random.Random(number)
    names = [f"bot{place:02}" for place in range(rng.randint(6, most_bots))]
    rounds = rng.randint(3, min(9, len(names) - 1))
    spec = parse_league(f'name = "event{number}"\nrounds = {rounds}\nboards = 1\nentries = {names}', "event.toml")
    entrants = [random_entrant(rng, name, rounds) for name in names]
    strength = {name: rng.randint(0, 12) for name in names}
    ours_goes_on = rng.random() < 0.5
    played: list[PlayedRound] = []
    while isinstance(plan := next_round(spec, spec.division(), entrants, played), RoundPlan):
        field = [bot for bot, entrant in zip(contenders(names, ONE_BOARD, played), entrants, strict=True)
                 if entrant.plays(plan.number)]  # fmt: skip
        # gacrux does not look ahead to the rounds that are left.
        ours = pair(field, Lots(spec.lot, "pairing", spec.division().variant, str(plan.number)))
        theirs = gacrux_pairing(names, played, rounds, {bot.name for bot in field})
        compare(f"event {number} round {plan.number}", field, ours, theirs, tally)
        if theirs is not None and not ours_goes_on:
            plan = round_plan(plan.number, theirs)
        played.append(play_round(plan, strength, rng))
    compare_tie_breaks(f"event {number}", names, entrants, played, tally)


def random_entrant(rng: random.Random, name: str, rounds: int) -> Entrant:
    first = rng.choice((2, 3)) if rng.random() < 0.05 else 1
    return Entrant(name, first, rng.randint(first, rounds) if rng.random() < 0.08 else None)


def round_plan(number: int, pairing: Seating) -> RoundPlan:
    tables = tuple(
        TablePlan(table, bots, matches(number, table, bots, 1)) for table, bots in enumerate(pairing.tables, start=1)
    )
    return RoundPlan(number, tables, pairing.byes)


def compare(place: str, field: Sequence[Contender], ours: Seating, theirs: Seating | None, tally: Tally) -> None:
    """Count how the two pairings of a field compare: over all terms in order, and term by term."""
    tally.rounds += 1
    our_cost = swiss_cost(field, ours)
    if theirs is None:
        tally.impossible += 1
        if not (our_cost.rematches or our_cost.earlier_byes):
            tally.worse.append(f"{place}: gacrux finds no pairing, but {our_cost} is one")
        return
    their_cost = swiss_cost(field, theirs)
    tally.same += our_cost == their_cost
    tally.better += our_cost < their_cost
    if our_cost > their_cost:
        tally.worse.append(f"{place}: {our_cost}, gacrux {their_cost}")
    for term, mine, its in zip(Cost._fields, our_cost, their_cost, strict=True):
        if mine != its:
            tally.terms[f"{term} {'less' if mine < its else 'more'}"] += 1


def gacrux_pairing(names: list[str], played: Sequence[PlayedRound], rounds: int, present: set[str]) -> Seating | None:
    """The round that gacrux pairs, or None where C.04.6 leaves it to the arbiter: a rematch or a second bye."""
    from gacrux.gacruxexeptions import GacruxNoLegalPairing
    from gacrux.pairingfideteam import pairing_fideteam

    event = tournament(names, played, rounds, team=True)
    for competitor, name in zip(event["competitors"], names, strict=True):
        competitor["present"] = name in present
    settings = {"methodList": ["fideteam", "nocolor"], "experimental": [], "verbose": 0, "top_color": "w"}
    try:
        brackets = pairing_fideteam(event, len(played) + 1, settings).compute_pairing(False)
    except GacruxNoLegalPairing:
        return None
    pairs = [(pair["w"], pair["b"]) for bracket in brackets for pair in bracket["pairs"]]
    byes = [names[white - 1] for white, black in pairs if not black]
    tables = tuple((names[white - 1], names[black - 1]) for white, black in pairs if black)
    return Seating(tables, tuple(byes))


def tournament(names: list[str], played: Sequence[PlayedRound], rounds: int, *, team: bool) -> dict[str, Any]:
    """The event so far as gacrux's data, of teams of one board or of players; competitors are numbered from 1."""
    number = {name: place for place, name in enumerate(names, start=1)}
    results: list[dict[str, Any]] = []
    for one in played:
        pairs = [({"cid": number[name], "result": "P"}, {"cid": 0}) for name in one.byes]
        for table in table_points(one):
            sides = sorted(table.items())
            white, black = ({"cid": number[name], "result": LETTERS[points]} for name, points in sides)
            pairs.append((white, black))
        for white, black in pairs:
            result = {
                "id": len(results) + 1,
                "round": one.number,
                "played": True,
                "rated": False,
                "board": 1,
                "games": [],
            }
            results.append({**result, "white": white, "black": black})
    return {
        "tournamentNo": 1,
        "tournamentType": "Swiss",
        "teamTournament": team,
        "teamSize": 1,
        "numRounds": rounds,
        "currentRound": len(played),
        "pairingSystem": ["fideteam", "nocolor"],
        "scoreSystem": {
            "game": POINTS,
            "match": {**POINTS, "FG": "W*", "HG": "D*", "ZG": "Z*", "PG": "P*"},
            "primary": "match",
        },
        "competitors": [
            {"cid": place, "rank": place, "random": place, "present": True, "cplayers": [], "teamId": place}
            for place in number.values()
        ],
        "gameList": [] if team else results,
        "matchList": results if team else [],
    }


def compare_tie_breaks(
    place: str, names: list[str], entrants: Sequence[Entrant], played: Sequence[PlayedRound], tally: Tally
) -> None:
    """Note every bot whose points, Buchholz cut 1, Buchholz, Sonneborn-Berger or direct encounter are not gacrux's.

    gacrux knows no game points of players, so direct encounter is compared among the bots that are equal in the four
    others, by the rank that it leaves them.
    """
    from gacrux.tiebreak import tiebreak

    settings: dict[str, Any] = {"tiebreak": list(TIE_BREAKS), "check": False, "swiss": True}
    event = tournament(names, played, len(played), team=False)
    theirs = {
        names[row["cid"] - 1]: (*map(int, row["tiebreakScore"][:-1]), row["rank"])
        for row in tiebreak(event, len(played), settings).compute_tiebreaks(event, settings)["competitors"]
    }
    spec = parse_league(f'name = "event"\nrounds = {len(played)}\nboards = 1\nentries = {names}', "event.toml")
    rows = {row.name: row for row in final_table(spec, spec.division(), entrants, played)}
    values = {
        name: (row.match_points, row.buchholz_cut_1, row.buchholz, row.sonneborn_berger) for name, row in rows.items()
    }
    found = won_from_each_other(names, played)
    rank = 1
    for _, tied in groupby(sorted(names, key=values.__getitem__, reverse=True), key=values.__getitem__):
        for part in separate(sorted(tied), found):
            for name in part:
                if (ours := (*values[name], rank)) != theirs[name]:
                    tally.differing.append(
                        f"{place}, {name}: {dict(zip(TIE_BREAKS, ours, strict=True))}, {theirs[name]}"
                    )
            rank += len(part)
    tally.tables += 1


def main(events: int) -> int:
    tally = Tally()
    for number in range(events):
        event(number, tally)
    print(f"{events} events, {tally.rounds} rounds: gacrux finds no pairing in {tally.impossible};")
    print(f"of the others {tally.better} better than gacrux, {tally.same} the same, {len(tally.worse)} worse")
    for term, times in sorted(tally.terms.items()):
        print(f"  {term}: {times} rounds")
    print(f"{tally.tables} final tables, {len(tally.differing)} bots with other tie-breaks than gacrux")
    for line in tally.worse + tally.differing:
        print(line)
    return 1 if tally.worse or tally.differing else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else EVENTS))
