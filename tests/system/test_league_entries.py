"""Registered bots enter leagues by themselves, over gRPC, and play in the field divisions."""

import asyncio
from contextlib import ExitStack
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import grpc
import pytest
from arena_command import DEADLINE_S, document, done, refused, standings_of, until
from bots_in_tests import FIRST
from one_node import bearer, connected_bot, create, node, refusal, wait_until_connected

from arena.store import Store
from hanafuda.arena.v1 import league_pb2, league_pb2_grpc

FIELD = """\
name = "field"
rounds = 2
boards = 2
per_decision_ms = 60000

[[divisions]]
variant = "koikoi"
board_sets = "field"
options = { months = 1 }

[[divisions]]
variant = "kyogi"
"""


class Caller:
    """The leagues service, called by one bot."""

    def __init__(self, channel: grpc.Channel, token: str) -> None:
        self._stub = league_pb2_grpc.LeagueServiceStub(channel)
        self._metadata = bearer(token)

    def enter(self, league: str = "field", *variants: str) -> list[str]:
        request = league_pb2.EnterLeagueRequest(league=league, variants=variants)
        entrant = self._stub.EnterLeague(request, metadata=self._metadata, timeout=DEADLINE_S).entrant
        return [entrant.name, *entrant.variants]

    def withdraw(self, league: str = "field") -> list[str]:
        request = league_pb2.WithdrawFromLeagueRequest(league=league)
        gone = self._stub.WithdrawFromLeague(request, metadata=self._metadata, timeout=DEADLINE_S).entrants
        return [entrant.name for entrant in gone]

    def get(self, league: str = "field") -> league_pb2.League:
        request = league_pb2.GetLeagueRequest(name=league)
        return self._stub.GetLeague(request, metadata=self._metadata, timeout=DEADLINE_S).league

    def table(self, league: str = "field") -> league_pb2.GetLeagueTableResponse:
        request = league_pb2.GetLeagueTableRequest(name=league)
        return self._stub.GetLeagueTable(request, metadata=self._metadata, timeout=DEADLINE_S)


def test_connected_bots_enter_a_field_division_play_it_and_see_its_table(tmp_path: Path) -> None:
    file = tmp_path / "field.toml"
    file.write_text(FIELD)
    names = ("alice", "bob", "carol", "dave")
    with ExitStack() as stack:
        _, address = stack.enter_context(node(tmp_path))
        channel = stack.enter_context(grpc.insecure_channel(address))
        tokens = {name: create(tmp_path, name) for name in (*names, "eve")}
        callers = {name: Caller(channel, token) for name, token in tokens.items()}
        done("league", "open", file, cwd=tmp_path)

        status, reason, said = refusal(callers["alice"].enter)
        assert (status, reason) == (grpc.StatusCode.FAILED_PRECONDITION, "ENTRY_REFUSED")
        assert "'alice' names a bot that connects by itself, and the division of kyogi has mirrored boards" in said
        assert said in refused("league", "enter", "field", "alice", cwd=tmp_path)
        for name in names:
            assert callers[name].enter("field", "koikoi") == [name, "koikoi"]
        assert callers["alice"].enter("field", "koikoi") == ["alice", "koikoi"], "the same again changes nothing"
        assert "eve has entered" in done("league", "enter", "field", "eve", "--variants", "koikoi", cwd=tmp_path)
        assert callers["eve"].withdraw() == ["eve"]
        assert refusal(callers["eve"].withdraw)[:2] == (grpc.StatusCode.NOT_FOUND, "NOT_ENTERED")

        league = callers["alice"].get()
        assert [(entrant.name, list(entrant.variants)) for entrant in league.entrants] == [
            (name, ["koikoi"]) for name in names
        ]
        assert league.status == league_pb2.LEAGUE_STATUS_OPEN
        assert [(division.variant, division.board_sets) for division in league.divisions] == [
            ("koikoi", league_pb2.BOARD_SETS_FIELD),
            ("kyogi", league_pb2.BOARD_SETS_MIRROR),
        ]

        bots = [stack.enter_context(connected_bot(tmp_path, address, tokens[name])) for name in names]
        done("league", "start", "field", cwd=tmp_path)
        while callers["alice"].get().status != league_pb2.LEAGUE_STATUS_FINISHED:
            assert [bot.poll() for bot in bots] == [None] * 4
        assert refusal(callers["eve"].enter, "field", "koikoi")[:2] == (
            grpc.StatusCode.FAILED_PRECONDITION,
            "LEAGUE_CLOSED",
        )
        table = callers["alice"].table()
        koikoi, kyogi = table.divisions
        assert (koikoi.rounds_complete, {row.bot for row in koikoi.rows}) == (2, set(names))
        assert all(row.matches == 4 and row.HasField("margin") and row.HasField("rating") for row in koikoi.rows)
        assert not kyogi.rows
        assert {row.bot for row in table.all_round} == set(names)
    told = document("league", "show", "field", cwd=tmp_path)
    assert [row["name"] for row in standings_of(told)] == [row.bot for row in koikoi.rows]
    replays = [line.split()[0] for line in done("replay", "list", "--league", "field", cwd=tmp_path).splitlines()]
    # Two rounds, two tables, two boards, each board once at each table.
    assert sorted(replays) == [
        f"field.koikoi.r{round_}.t{table}.b{board}.a" for round_ in (1, 2) for table in (1, 2) for board in (1, 2)
    ]
    assert "verified" in done("replay", "verify", replays[0], cwd=tmp_path)


TWO_FIELDS = """\
name = "field"
rounds = 2
boards = 2
board_sets = "field"

[[divisions]]
variant = "koikoi"

[[divisions]]
variant = "kyogi"

[[divisions]]
variant = "koikoi45"
"""


def test_a_bot_enters_the_divisions_that_it_says_it_plays_and_no_other(tmp_path: Path) -> None:
    file = tmp_path / "field.toml"
    file.write_text(TWO_FIELDS)
    says = FIRST.replace("def choose", "variants = ('koikoi', 'kyogi')\n\n    def choose")
    words = "'alice' does not play koikoi45: it says that it plays koikoi, kyogi"
    with ExitStack() as stack:
        run, address = stack.enter_context(node(tmp_path))
        channel = stack.enter_context(grpc.insecure_channel(address))
        tokens = {name: create(tmp_path, name) for name in ("alice", "bob", "carol")}
        alice, bob, carol = (Caller(channel, token) for token in tokens.values())
        done("league", "open", file, cwd=tmp_path)
        bot = stack.enter_context(connected_bot(tmp_path, address, tokens["alice"], program=says))
        all_round = stack.enter_context(connected_bot(tmp_path, address, tokens["bob"]))
        wait_until_connected(channel, tokens["alice"], "alice", "bob")

        unplayed = (grpc.StatusCode.FAILED_PRECONDITION, "VARIANT_NOT_PLAYED", words)
        assert refusal(alice.enter, "field", "koikoi45") == unplayed
        assert refusal(alice.enter, "field", "koikoi", "koikoi45") == unplayed
        assert refusal(alice.enter, "field", "poker")[1] == "INVALID_REQUEST", "nobody plays that"
        assert alice.enter() == ["alice", "koikoi", "kyogi"], "by default those that it plays"
        assert alice.withdraw() == ["alice"]
        assert bob.enter() == ["bob", "koikoi", "koikoi45", "kyogi"], "who names no variants plays all"
        assert carol.enter("field", "koikoi45") == ["carol", "koikoi45"], "who has not connected yet has said nothing"
        bot.kill()
        bot.wait()
        run.process.kill()
        run.end()
        assert all_round.poll() is None
    # The last word holds when the bot, and the node that heard it, are gone.
    assert refused("league", "enter", "field", "alice", "--variants", "koikoi45", cwd=tmp_path) == f"error: {words}\n"
    entered = done("league", "enter", "field", "alice", "--variants", "kyogi", cwd=tmp_path)
    assert entered == "alice has entered league field (kyogi)\n"
    file.write_text(f'entries = ["carol",\n"alice"]\n{TWO_FIELDS}'.replace('"field"\nrounds', '"autumn"\nrounds'))
    assert refused("league", "open", file.name, cwd=tmp_path) == f"error: field.toml:2: entries[2]: {words}\n"
    file.write_text(f'{file.read_text()}[schedule]\nstart = "every day 03:00"\n')
    assert refused("league", "schedule", file.name, cwd=tmp_path) == f"error: field.toml:2: entries[2]: {words}\n"


def test_a_league_goes_on_with_a_bot_that_says_otherwise_since(tmp_path: Path) -> None:
    file = tmp_path / "field.toml"
    file.write_text(f'entries = ["alice"]\n{TWO_FIELDS}')
    says = FIRST.replace("def choose", "variants = ('kyogi',)\n\n    def choose")
    token = create(tmp_path, "alice")
    opened = done("league", "open", file, cwd=tmp_path)
    with node(tmp_path) as (_, address), connected_bot(tmp_path, address, token, program=says):
        with grpc.insecure_channel(address) as channel:
            wait_until_connected(channel, token, "alice")
            reason = refusal(Caller(channel, token).enter, "field", "koikoi")[1]
        assert reason == "VARIANT_NOT_PLAYED"
        assert done("league", "open", file, cwd=tmp_path) == opened, "the same file is the same league"


def test_calls_for_leagues_that_cannot_be_are_refused_by_reason(tmp_path: Path) -> None:
    file = tmp_path / "field.toml"
    file.write_text(FIELD)
    with node(tmp_path) as (_, address), grpc.insecure_channel(address) as channel:
        caller = Caller(channel, create(tmp_path, "alice"))
        odd = Caller(channel, create(tmp_path, "odd.py"))
        done("league", "open", file, cwd=tmp_path)
        for call, arguments, status, reason in (
            (caller.enter, ("winter", "koikoi"), grpc.StatusCode.NOT_FOUND, "UNKNOWN_LEAGUE"),
            (caller.withdraw, ("winter",), grpc.StatusCode.NOT_FOUND, "UNKNOWN_LEAGUE"),
            (caller.enter, ("", "koikoi"), grpc.StatusCode.INVALID_ARGUMENT, "INVALID_REQUEST"),
            (caller.withdraw, ("",), grpc.StatusCode.INVALID_ARGUMENT, "INVALID_REQUEST"),
            (caller.enter, ("field", "poker"), grpc.StatusCode.INVALID_ARGUMENT, "INVALID_REQUEST"),
            (odd.enter, ("field", "koikoi"), grpc.StatusCode.FAILED_PRECONDITION, "ENTRY_REFUSED"),
        ):
            assert refusal(call, *arguments)[:2] == (status, reason)
        done("league", "enter", "field", "house:random", "--as", "alice", cwd=tmp_path)
        taken = refusal(caller.enter, "field", "koikoi")
        assert taken[:2] == (grpc.StatusCode.ALREADY_EXISTS, "ALREADY_ENTERED")
        assert refusal(caller.withdraw)[1] == "NOT_ENTERED", "the entry of that name is another bot's"


def test_a_file_with_a_registered_bot_is_refused_for_mirrored_boards_and_where_it_is_unknown(
    tmp_path: Path,
) -> None:
    file = tmp_path / "field.toml"
    file.write_text(f'entries = [\n"house:random",\n"alice"]\n{FIELD}')
    said = refused("league", "open", file.name, cwd=tmp_path)
    assert said.startswith("error: field.toml:3: entries[2]: 'alice' names a bot that connects by itself")
    file.write_text(f'entries = [\n"house:random",\n{{ bot = "alice", variants = ["koikoi"] }}]\n{FIELD}')
    said = refused("league", "open", file.name, cwd=tmp_path)
    assert said == "error: field.toml:3: entries[2]: no bot named 'alice'\n"
    create(tmp_path, "alice")
    assert "It is open, with 2 bots" in done("league", "open", file.name, cwd=tmp_path)


def test_a_schedule_is_made_shown_kept_by_a_node_and_removed(tmp_path: Path) -> None:
    file = tmp_path / "daily.toml"
    # No league starts while the test runs, whatever the time of day.
    start = f"{datetime.now(ZoneInfo('Asia/Tokyo')) + timedelta(hours=12):%H:%M}"
    text = f'name = "daily"\nentries = ["house:random", "house:greedy"]\n[schedule]\nstart = "every day {start}"\n'
    file.write_text(f'{text}zone = "Asia/Tokyo"\ntimes = 5\n')
    made = done("league", "schedule", file.name, cwd=tmp_path)
    assert made.startswith("daily.1  opens ")
    assert f"{start} Asia/Tokyo" in made
    assert "5 left" in made
    assert done("league", "upcoming", cwd=tmp_path) == made
    with node(tmp_path):
        until(lambda: document("league", "upcoming", cwd=tmp_path)["upcoming"][0]["open"], "the first league is open")
    [to_come] = document("league", "upcoming", cwd=tmp_path)["upcoming"]
    assert (to_come["schedule"], to_come["league"], to_come["open"], to_come["left"]) == ("daily", "daily.1", True, 5)
    assert len(to_come["starts"]) == 3

    file.write_text(f'{text}zone = "Asia/Tokyo"\n')
    assert "there is another schedule named 'daily'" in refused("league", "schedule", file.name, cwd=tmp_path)
    assert f"is for `arena league schedule {file.name}`" in refused("league", "run", file.name, cwd=tmp_path)
    assert done("league", "unschedule", "daily", cwd=tmp_path).startswith("schedule daily is removed; ")
    assert done("league", "upcoming", cwd=tmp_path) == ""
    assert refused("league", "unschedule", "daily", cwd=tmp_path) == "error: no schedule named 'daily'\n"
    assert done("league", "list", cwd=tmp_path) == "daily.1  open  koikoi 0/5  0 matches\n"


def test_a_schedule_that_cannot_be_read_is_named_after_the_others(tmp_path: Path) -> None:
    file = tmp_path / "daily.toml"
    file.write_text(
        'name = "daily"\nentries = ["house:random", "house:greedy"]\n[schedule]\nstart = "every day 03:00"\n'
    )
    made = done("league", "schedule", file.name, cwd=tmp_path)

    async def add_unreadable_ones() -> None:
        async with await Store.open(tmp_path / "arena-data") as store:
            [readable] = await store.schedules.list()
            await store.schedules.create("broken", b"no record", 0)
            await store.schedules.create("older", readable.record.replace(b'"entries"', b'"players"'), 0)

    asyncio.run(add_unreadable_ones())
    first, *others = done("league", "upcoming", cwd=tmp_path).splitlines(keepends=True)
    assert first == made
    assert [other.partition(": ")[0] for other in others] == [
        f"schedule {name} cannot be read" for name in ("broken", "older")
    ]
    shown = document("league", "upcoming", cwd=tmp_path)
    assert [one["schedule"] for one in shown["upcoming"]] == ["daily"]
    assert [f"schedule {one['schedule']} cannot be read: {one['error']}\n" for one in shown["unreadable"]] == others
    assert done("league", "unschedule", "broken", cwd=tmp_path).startswith("schedule broken is removed; ")


@pytest.mark.parametrize(
    ("schedule", "words"),
    [
        ('start = "every other day"', ":4: schedule.start: 'every other day' is not a start"),
        ('start = "2020-02-30 10:00"', ":4: schedule.start: "),
        ('start = "2020-02-20 10:00"', ":4: schedule.start: is in the past, so no league would ever start"),
        ('start = "every day 03:00"\nzone = "Mars/Olympus"', ":5: schedule.zone: unknown time zone 'Mars/Olympus'"),
        ('start = "every day 03:00"\nopen = "soon"', ":5: schedule.open: 'soon' is not a length of time"),
        ('start = "every day 03:00"\ntimes = 0', ":5: schedule.times: a season has 1 to 100000 leagues, not 0"),
        ("times = 3", ":3: schedule: a schedule needs a start"),
    ],
)
def test_a_schedule_that_is_none_is_refused_with_its_line_and_key(tmp_path: Path, schedule: str, words: str) -> None:
    file = tmp_path / "daily.toml"
    file.write_text(f'name = "daily"\nentries = ["house:random", "house:greedy"]\n[schedule]\n{schedule}\n')
    assert f"error: daily.toml{words}" in refused("league", "schedule", file.name, cwd=tmp_path)


def test_a_file_without_a_schedule_cannot_be_scheduled(tmp_path: Path) -> None:
    file = tmp_path / "once.toml"
    file.write_text('name = "once"\nentries = ["house:random", "house:greedy"]\n')
    assert "league file once.toml has no [schedule]" in refused("league", "schedule", file.name, cwd=tmp_path)
    assert sorted(tmp_path.iterdir()) == [file]
