"""What a division's rounds so far left each of its bots."""

from collections import Counter
from collections.abc import Iterable, Sequence

from arena.league.pairing import DOWN, LEVEL, Contender
from arena.league.pod_costs import floated
from arena.league.results import WIN, table_points
from arena.league.spec import Division
from arena.league.values import PlayedRound, parts


def contenders(names: Iterable[str], division: Division, rounds: Sequence[PlayedRound]) -> list[Contender]:
    """Each bot as the pairing sees it after the rounds."""
    met: dict[str, Counter[str]] = {name: Counter() for name in names}
    bots = {name: Contender(name, met=opponents) for name, opponents in met.items()}
    won_by_bye = WIN * parts(division.seats)
    for played in rounds:
        changed = {name: bot._replace(floated=LEVEL) for name, bot in bots.items()}
        for name in played.byes:
            bot = bots[name]
            changed[name] = bot._replace(score=bot.score + won_by_bye, byes=bot.byes + 1, floated=DOWN)
        for table in table_points(played):
            scores = [bots[name].score for name in table]
            for name, won in table.items():
                bot = bots[name]
                short = bot.short + (len(table) != division.seats)
                changed[name] = bot._replace(score=bot.score + won, floated=floated(bot.score, scores), short=short)
                met[name].update(opponent for opponent in table if opponent != name)
        bots = changed
    return list(bots.values())
