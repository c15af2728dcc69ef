"""A node's periodic tasks."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from store_servers import until

from arena.league.reader import parse_league
from arena.node import chores
from arena.node.node import running_node
from arena.organizer import schedules
from arena.organizer.entries import check, entrants_of
from arena.store import Store

CUP = 'name = "cup"\nentries = ["house:random", "house:greedy"]\n[schedule]\nstart = "every 2 hours"\n'


async def test_a_schedule_that_cannot_be_read_ends_no_node(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(chores, "_FAILED_S", 0.0)
    async with await Store.open(tmp_path / "data") as store:
        await store.schedules.create("broken", b"no record", 0)
        async with running_node(store, tmp_path):
            await until(lambda: "cannot be carried out: broken" in caplog.text, "the broken schedule is reported")
            spec = parse_league(CUP, "cup.toml")
            entrants = await entrants_of(store, spec, check(spec, tmp_path))
            await schedules.create(store, spec, entrants, datetime.now(UTC))

            async def league_exists() -> bool:
                return bool((await store.leagues.list()).items)

            await until(league_exists, "the other schedule makes its league")
