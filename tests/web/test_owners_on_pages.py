"""A league's page tells which owners did more for one another than chance explains, in both languages."""

import asyncio
import json
import random
import socket
from pathlib import Path

import msgspec
import pytest
from site_client import SiteUnderTest

from arena.league.reader import parse_league
from arena.match.model import End, MatchResult
from arena.organizer import steps
from arena.organizer.entries import check, entrants_of
from arena.organizer.matches import MatchJob
from arena.replays import Summary
from arena.store import JobQueue, MatchWork, Store
from arena.web.app import create_app
from arena.web.serving import serving
from arena.web.site import routes
from arena.web.site.watchable import Watchable

OWNERS = ("ann", "bo", "cy", "di", "ed", "fay")
LEAGUE = f"""\
name = "cup"
secret = "{"5a" * 32}"
pairing = "round-robin"
rounds = 10
boards = 24
board_sets = "field"
entries = ["of-ann", "of-bo", "of-cy", "of-di", "of-ed", "of-fay"]
"""


async def play(store: Store, queue: JobQueue, *, thrown: bool) -> None:
    """Play a league whose bots are equal; bo's loses every match with ann's where it is thrown."""
    for owner in OWNERS:
        await store.owners.create(owner)
        await store.bots.create(f"of-{owner}", owner=owner)
    spec = parse_league(LEAGUE, "cup.toml")
    await steps.create(store, spec, await entrants_of(store, spec, check(spec, Path())))
    await steps.start(store, "cup")
    while (await store.leagues.get("cup")).state != "finished":
        for job in await queue.claim(100, wait_s=20):
            if not isinstance(job.work, MatchWork):
                async with queue.leases.hold(job):
                    await steps.step(store, queue, job)
                continue
            match = msgspec.msgpack.decode(job.work.payload, type=MatchJob)
            assert match.plan is not None
            one, other = match.spec.names
            margin = random.Random(match.spec.match_id).randint(-20, 20)
            if thrown and {one, other} == {"of-ann", "of-bo"}:
                margin = 30 if one == "of-ann" else -30
            half = (1, 1) if not margin else (2, 0) if margin > 0 else (0, 2)
            result = MatchResult(End.COMPLETED, -1, (margin, -margin), half, b"", (), (0, 0))
            about = Summary(match.spec.variant, match.spec.names, result.results, End.COMPLETED, -1)
            await queue.commit_match(
                job, steps.outcome_of(match.plan, result), b"replay", msgspec.msgpack.encode(about)
            )


@pytest.mark.parametrize("thrown", [True, False])
async def test_the_page_names_the_owners_who_did_more_for_one_another_than_chance_explains(
    store: Store, *, thrown: bool
) -> None:
    await play(store, store.jobs(), thrown=thrown)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        async with serving(create_app(routes.site_routes(store, Watchable(store.snapshots))), listening):
            site = SiteUnderTest(listening.getsockname()[1])
            english, japanese, data = [
                await asyncio.to_thread(site.get, path)
                for path in ("/leagues/cup", "/ja/leagues/cup", "/api/v1/leagues/cup/owners")
            ]
    told = json.loads(data.body)
    first = told["pairs"][0]
    assert told["count"] == len(OWNERS) * (len(OWNERS) - 1)
    assert (first["z"] > told["by_chance"]) == thrown
    row = f'<th scope="row" class="name">{first["owner"]}</th><td class="name" data-label="from">{first["other"]}</td>'
    assert row in english.text
    assert f"{first['z']:+.2f}".replace("-", "−") in english.words
    assert "作者どうし" in japanese.words
    if thrown:
        assert (first["owner"], first["other"]) == ("ann", "bo")
        assert "1 pair of owners did more for one another than chance explains." in english.words
        assert f"<strong>{first['z']:+.2f}</strong>" in english.text
    else:
        assert "No two owners did more for one another than chance explains." in english.words
