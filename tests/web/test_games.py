"""Playing by hand, without a browser: the referee's seat, what a page may know, and what strangers may try."""

import asyncio
import http.client
import json
import re
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import html5lib
import pytest
from arena_command import document as command_document
from arena_command import done, league_file, pages_port, running
from viewer_cases import FORFEITS, SEATS, WHOLE

from arena.match.model import End, MatchResult, MatchSpec, TimeControl
from arena.match.play import play
from arena.match.question import Question
from arena.match.secrecy import hides_events
from arena.node.node import running_node
from arena.organizer.matches import store_played
from arena.replays import ReplayRecord, under_way
from arena.replays.verify import start
from arena.seats.in_process import InProcessSeat
from arena.seats.person import NotAskedError, NotLegalError, PersonSeat
from arena.store import Scope, Store
from arena.store.errors import UnknownMatchError
from arena.web.games.games import IDLE_S, MAX_OF_READER, STARTS, Games, NoRoomError
from arena.web.viewer.document import document
from bots import house
from core_ext import ALL, VARIANTS, State, parse_seed

RECORDS = [*FORFEITS.values(), *SEATS.values(), WHOLE["hachihachi"]]


def cards_in(value: Any) -> set[int]:
    """Every card that a part of a document names."""
    if isinstance(value, dict):
        return set(value.get("cards", ())) | {card for one in value.values() for card in cards_in(one)}
    if isinstance(value, list | tuple):
        return {card for one in value for card in cards_in(one)}
    return set()


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.match_id)
def test_what_a_seat_is_shown_is_what_the_core_shows_it_and_names_no_other_card(record: ReplayRecord) -> None:
    choices, _ = start(record).apply_packed(record.packed, record.decisions)
    spec = MatchSpec(record.match_id, record.variant, record.seed, record.names, record.options)
    state = start(record)
    seats = range(len(record.names))
    known: list[set[int]] = [set() for _ in seats]
    deal = -1
    told = 0
    for decision, choice in enumerate(choices):
        deal += sum(event.kind == "deal" for event in state.events(ALL, told))
        for seat in seats:
            for event in state.events(seat, told):
                known[seat] = set() if event.kind == "month_end" else known[seat]
                known[seat] |= {*event.cards, *event.taken}
            known[seat] |= {card for zone in state.observation(seat).zones for card in zone.cards}
        told = state.event_count
        if decision % 7 == 0:
            so_far = under_way(spec, bytes(choices[:decision]))
            for seat in seats:
                shown = document(so_far, seat, since=deal)
                named = {card for zone in shown["zones"] for card in zone[2]}
                assert named | cards_in(shown["lines"]) | cards_in(shown["actions"]) <= known[seat]
                if not hides_events(state, seat):
                    check_last(shown, state, seat)
        state.apply_choices(bytes([choice]))


def check_last(shown: dict[str, Any], state: State, seat: int) -> None:
    """The last step is what the core shows the seat now, and nothing of what it shows others."""
    step = shown["steps"][-1]
    view = state.observation(seat)
    zones = [shown["zones"][index] for index in step["views"][seat][2]]
    is_asked = state.current_player == seat
    assert [(kind, of, tuple(cards), count) for kind, of, cards, count in zones] == [tuple(zone) for zone in view.zones]
    assert [other for other, one in enumerate(step["views"]) if one is not None] == [seat]
    assert [other for other, one in enumerate(step["told"]) if one] in ([], [seat])
    assert step["asked"] == (seat if is_asked else -1)
    assert len(step["legal"]) == (len(state.legal_actions()) if is_asked else 0)
    assert all(one["chosen"] < 0 for one in shown["steps"] if one["asked"] != seat)


def test_a_seat_asked_in_secret_adds_no_step_for_the_others() -> None:
    record = WHOLE["hachihachi"]
    for seat in range(3):
        steps = document(record, seat)["steps"]
        assert all(step["told"][seat] or step["asked"] == seat or not step["decision"] for step in steps)
    assert len(document(record, 0)["steps"]) < len(document(record)["steps"])


async def until_asked(seat: PersonSeat, asked: asyncio.Event) -> Question:
    """The next question."""
    await asyncio.wait_for(asked.wait(), 60)
    asked.clear()
    assert seat.question is not None
    return seat.question


def test_a_person_s_wrong_answers_are_refused_before_the_referee_has_them() -> None:
    async def one_match() -> MatchResult:
        asked = asyncio.Event()
        person = PersonSeat(asked.set)
        time = TimeControl(600_000, 0)
        spec = MatchSpec("m", "koikoi", parse_seed("1"), ("a person", "random"), {"months": 1}, time=time)
        match = asyncio.create_task(play(spec, [person, InProcessSeat(house("random"))]))
        match.add_done_callback(lambda _: asked.set())
        with pytest.raises(NotAskedError):
            person.answer(1, 0)
        question = await until_asked(person, asked)
        for code in (-1, 10**6, next(code for code in range(300) if code not in question.legal)):
            with pytest.raises(NotLegalError):
                person.answer(1, code)
        with pytest.raises(NotAskedError):
            person.answer(2, question.legal[0])
        person.answer(1, question.legal[0])
        with pytest.raises(NotAskedError):
            person.answer(1, question.legal[0])
        while True:
            await asyncio.wait_for(asked.wait(), 60)
            asked.clear()
            if match.done():
                return match.result()
            person.answer(person.question.number, person.question.legal[-1])

    result = asyncio.run(one_match())
    assert result.end is End.COMPLETED
    assert result.rejections == (0, 0)


def test_a_person_who_does_not_answer_in_time_forfeits() -> None:
    seed = parse_seed("2")
    assert State.new("koikoi", {"months": 1}, seed).current_player == 0, "the person is asked first"

    async def one_match() -> MatchResult:
        time = TimeControl(1, 0)
        spec = MatchSpec("m", "koikoi", seed, ("a person", "random"), {"months": 1}, time=time)
        return await play(spec, [PersonSeat(lambda: None), InProcessSeat(house("random"))])

    result = asyncio.run(one_match())
    assert (result.end, result.offender) == (End.TIMEOUT, 0)


def test_a_new_game_takes_the_place_of_the_idlest_and_of_nobody_who_plays(tmp_path: Path) -> None:
    async def games_at_once() -> None:
        async with await Store.open(tmp_path) as store, aclosing(Games(store, limit=2)) as games:
            first = await games.begin("koikoi", "random", 2, {})
            second = await games.begin("sangohana", "random", 4, {})
            with pytest.raises(NoRoomError):
                await games.begin("kyogi", "random", 2, {})
            first.touched_at -= IDLE_S + 1
            third = await games.begin("kyogi", "random", 2, {})
            assert games.find(first.id) is None
            assert first.is_over
            assert games.find(second.id) is second
            assert games.find(third.id) is third
        assert second.is_over
        assert third.is_over

    asyncio.run(games_at_once())


def test_one_reader_has_only_so_many_games_under_way_the_idlest_of_which_gives_way(tmp_path: Path) -> None:
    async def games_of_readers() -> None:
        async with await Store.open(tmp_path) as store, aclosing(Games(store, limit=100)) as games:
            own = [await games.begin("koikoi", "random", 2, {}, "2001:db8::1") for _ in range(MAX_OF_READER)]
            with pytest.raises(NoRoomError, match="games under way"):
                await games.begin("koikoi", "random", 2, {}, "2001:db8::2")
            await games.begin("koikoi", "random", 2, {}, "2001:db8:0:1::1")
            await games.end(own[0])
            await games.begin("koikoi", "random", 2, {}, "2001:db8::2")
            own[1].touched_at -= IDLE_S + 1
            await games.begin("koikoi", "random", 2, {}, "2001:db8::2")
            assert own[1].is_over
            assert not own[2].is_over

    asyncio.run(games_of_readers())


def test_a_match_that_was_not_stored_whole_is_given_up_by_a_node_and_can_be_deleted(tmp_path: Path) -> None:
    """As when the process that serves the pages is killed between storing a person's match and its result."""

    async def killed() -> None:
        spec = MatchSpec("lost", "koikoi", bytes(32), ("a person", "house:random"))
        async with await Store.open(tmp_path / "data") as store:
            await store_played(store, spec, b"", owner="games", commit_s=0.2)
            async with running_node(store, tmp_path) as node:
                async with asyncio.timeout(120):
                    while not (await store.stalled.parked(Scope.match("lost"))).items:
                        await node.progress(timeout=0.5)
            await store.matches.delete("lost")
            with pytest.raises(UnknownMatchError):
                await store.matches.get("lost")

    asyncio.run(killed())


def test_only_so_many_games_begin_in_a_minute(tmp_path: Path) -> None:
    async def many_games() -> None:
        async with await Store.open(tmp_path) as store, aclosing(Games(store, limit=100)) as games:
            for _ in range(STARTS):
                await games.end(await games.begin("koikoi", "random", 2, {}))
            with pytest.raises(NoRoomError):
                await games.begin("koikoi", "random", 2, {})

    asyncio.run(many_games())


class Visitor:
    """Somebody at the site, without a browser."""

    def __init__(self, address: str) -> None:
        self.host = urlsplit(address).netloc
        self.origin = address

    def ask(self, path: str, form: object = None, **headers: str) -> tuple[int, dict[str, str], str]:
        connection = http.client.HTTPConnection(self.host, timeout=60)
        if form is None:
            connection.request("GET", path)
        else:
            body = form if isinstance(form, bytes) else urlencode(form).encode()  # type: ignore[arg-type]
            connection.request("POST", path, body, {"origin": self.origin, **headers})
        response = connection.getresponse()
        found = response.status, dict(response.getheaders()), response.read().decode()
        connection.close()
        return found

    def begin(self, variant: str, **fields: str) -> str:
        """The path of a new game."""
        status, headers, _ = self.ask("/play", {"variant": variant, "bot": "random", **fields})
        assert status == 303
        assert "set-cookie" not in headers
        return headers["location"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the arena is that has the site's store."""
    folder = tmp_path_factory.mktemp("games")
    done("league", "run", league_file(folder, ["house:random"] * 2, rounds=1, boards=1), cwd=folder)
    return folder


@pytest.fixture(scope="module")
def visitor(folder: Path) -> Iterator[Visitor]:
    with running("web", "--listen", "127.0.0.1:0", cwd=folder) as run:
        yield Visitor(f"http://127.0.0.1:{pages_port(run)}")


def test_a_game_is_played_by_forms_alone_and_its_replay_is_kept_signed(visitor: Visitor, folder: Path) -> None:
    path = visitor.begin("koikoi", months="1")
    replay = None
    while replay is None:
        status, headers, text = visitor.ask(path)
        assert status == 200
        assert headers["cache-control"] == "no-store"
        html5lib.HTMLParser(strict=True).parse(text)
        replay = re.search(r'href="/replays/(\w+)\?seat=\d"', text)
        if replay is None:
            decision = re.search(r'name="decision" value="(\d+)"', text)
            codes = re.findall(r'name="code" value="(\d+)"', text)
            answer = {"decision": decision[1], "code": codes[0]}
            assert visitor.ask(path, answer)[0] == 303
    status, _, text = visitor.ask(f"/api/v1/replays/{replay[1]}")
    assert status == 200
    assert sorted(json.loads(text)["names"]) == ["a person", "house:random"]
    verified = command_document("replay", "verify", replay[1], "--json", cwd=folder)
    assert verified["ok"]
    assert command_document("replay", "rerun", replay[1], "--json", cwd=folder)["difference"] is None
    assert replay[1] in visitor.ask("/matches")[2]
    assert visitor.ask(path, {"decision": "1", "code": "1"})[0] == 409


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_decision_in_every_variant_and_what_is_wrong_with_others(visitor: Visitor, variant: str) -> None:
    path = visitor.begin(variant)
    api = f"/api/v1{path}"
    view = json.loads(visitor.ask(api)[2])
    question = view["question"]
    assert [one is None for one in view["document"]["steps"][-1]["views"]].count(False) == 1
    wrong = next(code for code in range(400) if code not in question["codes"])
    right = question["codes"][0]
    for decision, code, status in (
        (question["number"], wrong, 400),
        (question["number"], "1e3", 400),
        (question["number"], 10**40, 400),
        (question["number"] + 1, right, 409),
        ("", right, 409),
    ):
        assert visitor.ask(api, {"decision": decision, "code": code})[0] == status
    assert json.loads(visitor.ask(api)[2])["question"] == question
    status, _, text = visitor.ask(api, {"decision": question["number"], "code": right})
    assert status == 200
    assert json.loads(text)["version"] > view["version"]
    assert visitor.ask(api, {"decision": question["number"], "code": right})[0] == 409
    assert visitor.ask(f"{path}/leave", {})[0] == 303
    assert visitor.ask(path)[0] == 404


def test_what_other_sites_and_strangers_send_is_refused(visitor: Visitor) -> None:
    path = visitor.begin("koikoi")
    move = {"decision": 1, "code": 1}
    for origin in ("https://elsewhere.example", "null", "", "http://[", f"{visitor.origin}.example"):
        for address, form in (("/play", {"variant": "koikoi", "bot": "random"}), (path, move), (f"{path}/leave", {})):
            assert visitor.ask(address, form, origin=origin)[0] == 403
    assert visitor.ask(f"{path}x", move)[0] == 404
    assert visitor.ask("/api/v1/games/" + "a" * 5_000)[0] == 404
    assert visitor.ask(path, b"code=1&" * 500)[0] == 413
    assert visitor.ask(path, b"\xff\xfe")[0] == 400
    assert visitor.ask(path, b"a=1&" * 20)[0] == 400
    for fields in (
        {"variant": "poker"},
        {"bot": "../etc"},
        {"seats": "9"},
        {"seats": "-1"},
        {"months": "0"},
        {"months": "1000000"},
        {"variant": "kyogi", "months": "1"},
    ):
        assert visitor.ask("/play", {"variant": "koikoi", "bot": "random", **fields})[0] == 400
    assert visitor.ask(path)[0] == 200


def test_a_site_without_places_plays_no_games_and_who_breaks_off_a_form_leaves_nothing_in_its_log(
    folder: Path,
) -> None:
    with running("web", "--listen", "127.0.0.1:0", "--games", "0", cwd=folder) as run:
        visitor = Visitor(f"http://127.0.0.1:{pages_port(run)}")
        assert "No games are played here" in visitor.ask("/play")[2]
        assert visitor.ask("/play", {"variant": "koikoi", "bot": "random"})[0] == 503
        connection = http.client.HTTPConnection(visitor.host, timeout=60)
        connection.putrequest("POST", "/play")
        for name, value in (("origin", visitor.origin), ("content-length", "100")):
            connection.putheader(name, value)
        connection.endheaders(b"variant=koikoi")
        connection.close()
        assert visitor.ask("/play")[0] == 200
        run.process.terminate()
        assert run.end() == 0
        assert [line for line in run.lines if not line.startswith("pages at")] == []
