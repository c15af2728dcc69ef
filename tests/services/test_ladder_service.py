"""The ladders service: owners have their own bots on ladders, and everybody sees how they stand."""

from pathlib import Path

import msgspec
import pytest

from arena.league.reader import parse_league
from arena.organizer import ladders
from arena.organizer.entries import check, entrants_of
from arena.organizer.ladder_table import view_of
from arena.packs.manifest import Manifest
from arena.rpc.errors import ApiError, Reason
from arena.rpc.identity import OwnerIdentity, caller
from arena.services.ladders import LadderServicer, view_in
from arena.services.leagues import LeagueServicer
from arena.store import Scope, Store
from arena.store.errors import UnknownLadderError
from arena.stream.hub import Hub
from arena.submissions.record import VersionRecord
from hanafuda.arena.v1.ladder_pb2 import (
    EnterLadderRequest,
    GetLadderRequest,
    LadderStatus,
    LeaveLadderRequest,
    ListLaddersRequest,
)
from hanafuda.arena.v1.league_pb2 import EnterLeagueRequest, WithdrawFromLeagueRequest

LADDER = 'name = "evening"\nentries = ["house:level1", "house:level2"]\n[ladder]\neverybody = false\n'
VERSION = "1" * 64


@pytest.fixture
async def servicer(store: Store) -> LadderServicer:
    """The service of a store with a ladder that runs, called by ann's owner, whose bots have a version each."""
    spec = parse_league(LADDER, "evening.toml")
    await ladders.open_ladder(store, spec, await entrants_of(store, spec, check(spec, Path())))
    await ladders.carry_out(store, "a node")
    for bot, owner in (("ann", "of-ann"), ("level1", "of-ann"), ("bob", "of-bob")):
        await store.bots.create(bot, owner=owner, stateless=True)
        record = VersionRecord(Manifest(bot, ("python", "bot.py")), 2, 100)
        await store.versions.create(bot, VERSION, msgspec.json.encode(record))
        [job] = await (queue := store.jobs()).claim_of(Scope.version(bot, VERSION))
        await queue.commit_version(job, b"", qualified=True)
        await store.versions.activate(bot, VERSION)
    caller.set(OwnerIdentity("of-ann"))
    return LadderServicer(store)


async def test_an_owner_has_its_bot_enter_leave_and_come_back(store: Store, servicer: LadderServicer) -> None:
    async def bots() -> set[str]:
        await ladders.carry_out(store, "a node")
        answer = await servicer.GetLadder(GetLadderRequest(name="evening"), None)
        return {row.bot for row in answer.ladder.rows}

    enter, leave = (kind(ladder="evening", bot="ann") for kind in (EnterLadderRequest, LeaveLadderRequest))
    assert not (await servicer.EnterLadder(enter, None)).already_entered
    assert (await servicer.EnterLadder(enter, None)).already_entered
    assert await bots() == {"level1", "level2", "ann"}
    assert not (await servicer.LeaveLadder(leave, None)).already_left
    assert (await servicer.LeaveLadder(leave, None)).already_left
    assert await bots() == {"level1", "level2"}
    assert not (await servicer.EnterLadder(enter, None)).already_entered
    assert ladders.state_of(await store.ladders.get("evening")).out == ()


@pytest.mark.parametrize("bot", ["bob", "level1"])
async def test_what_is_anothers_stays_where_it_is(servicer: LadderServicer, bot: str) -> None:
    wanted = Reason.NOT_YOUR_BOT if bot == "bob" else Reason.ENTRY_REFUSED
    with pytest.raises(ApiError) as entering:
        await servicer.EnterLadder(EnterLadderRequest(ladder="evening", bot=bot), None)
    with pytest.raises(ApiError) as leaving:
        await servicer.LeaveLadder(LeaveLadderRequest(ladder="evening", bot=bot), None)
    assert (entering.value.reason, leaving.value.reason) == (wanted, wanted)
    rows = (await servicer.GetLadder(GetLadderRequest(name="evening"), None)).ladder.rows
    assert {row.plays for row in rows} == {"house:level1", "house:level2"}


async def test_a_season_takes_no_entries_of_its_own(store: Store, servicer: LadderServicer) -> None:
    leagues = LeagueServicer(store, Hub())
    with pytest.raises(ApiError, match="is a season of ladder evening"):
        await leagues.EnterLeague(EnterLeagueRequest(league="ladder.evening.1", bot="ann"), None)
    with pytest.raises(ApiError, match="a bot leaves by LeaveLadder"):
        await leagues.WithdrawFromLeague(WithdrawFromLeagueRequest(league="ladder.evening.1", bot="ann"), None)


async def test_a_ladder_is_told_on_the_wire_as_it_stands(store: Store, servicer: LadderServicer) -> None:
    await store.ladders.create("broken", b"no record")
    answer = await servicer.ListLadders(ListLaddersRequest(), None)
    assert [view_in(ladder) for ladder in answer.ladders] == [await view_of(store, "evening")]
    assert answer.ladders[0].status == LadderStatus.LADDER_STATUS_RUNNING
    with pytest.raises(UnknownLadderError):
        await servicer.GetLadder(GetLadderRequest(name="morning"), None)
    with pytest.raises(ApiError, match="there is no bot 'ann' on ladder evening"):
        await servicer.LeaveLadder(LeaveLadderRequest(ladder="evening", bot="ann"), None)
