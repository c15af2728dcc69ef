"""`arena league report`"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.output import print_answer, writing
from arena.cli.targets import Arena
from arena.cli.values import AsJson, InLanguage, LanguageCode, LeagueName

if TYPE_CHECKING:
    from arena.remote.client import Client
    from arena.web.language import Language
    from arena.web.report.league import LeagueReport


def report(
    name: LeagueName,
    arena: Arena,
    html: Annotated[Path, typer.Option("--html", metavar="FILE", help="The page to write; it must not exist yet.")],
    language: InLanguage = LanguageCode.EN,
    as_json: AsJson = False,
) -> None:
    """Write a league's report as one page, to show it to others.

    It has tables, plots, who beat whom, and matches that play by themselves, and needs no network.
    """
    from arena.web.language import LANGUAGES
    from arena.web.report.league import page

    [wanted] = [known_language for known_language in LANGUAGES if known_language.code == language]
    report = arena.read(lambda client: _report(client, name, wanted))
    with writing(html):
        html.write_text(page(report, wanted), encoding="utf-8")
    document = {"league": name, "file": str(html), "matches": len(report.matches), "shown": len(report.best)}
    print_answer(as_json, document, [f"{html} has the report of league {name}, without a network"])


async def _report(client: "Client", name: str, language: "Language") -> "LeagueReport":
    """What the report is made of. Raises what calls of the client raise, and ReplayError."""
    from arena.cli.infos import end_of, league_of, matches_played, state_of, table_of
    from arena.cli.replay_files import decoded, get
    from arena.match.model import End
    from arena.web.report.league import (
        BOTS,
        COMMITMENT,
        PLAYED,
        SECRET,
        STATUS,
        LeagueReport,
        Match,
        best_matches,
    )
    from hanafuda.arena.v1.replay_pb2 import ListReplaysRequest

    league, tables = await league_of(client, name), await table_of(client, name)
    complete = {table.variant: table.rounds for table in tables.divisions}
    matches = []
    async for replay in client.pages(client.replays.ListReplays, ListReplaysRequest(league=name), _replays):
        round_number = int(replay.replay_id.rpartition(".r")[2].partition(".")[0])
        if replay.bots and end_of(replay.end) is not End.ABANDONED and round_number <= complete.get(replay.variant, 0):
            bots, results = tuple(replay.bots), tuple(replay.results)
            matches.append(Match(replay.replay_id, replay.variant, round_number, bots, results, replay.offender))
    best = best_matches(tables, matches)
    raw = await get([replay.match.id for replay in best], client)
    facts = [
        (STATUS, state_of(league.status)),
        (BOTS, str(len(league.entrants))),
        (PLAYED, language.ngettext("%(num)s match", "%(num)s matches", matches_played(league))),
        (COMMITMENT, league.commitment.hex()),
    ]
    if league.secret:
        facts.append((SECRET, league.secret.hex()))
    shown = [(replay, decoded(raw[replay.match.id], replay.match.id)) for replay in best]
    return LeagueReport(name, facts, tables, matches, shown)


def _replays(page: Any) -> Any:
    return page.replays
