"""An owner at work from another machine: every command with `--server` and its token, from an empty folder."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import pytest
from arena_command import Running, document, done, league_file, refused
from bots_in_tests import DECLINES
from one_node import connected_bot, node, wait_until_connected

RULES = 'board_sets = "field"\noptions = { months = 1 }\nper_decision_ms = 60000\n'
SPRING = ("house:greedy", "house:random", "house:random")


@dataclass(frozen=True)
class Arena:
    """A node with a league that ann's bot crane is to enter, beside bob's deer."""

    home: Path
    """Where the operator works."""
    away: Path
    """Where ann works: a folder of its own, in which there is no store."""
    run: Running
    address: str
    token: str
    crane: str
    """The token of ann's bot."""
    deer: str
    """The token of bob's bot."""

    @property
    def there(self) -> tuple[str, ...]:
        """The options with which ann's commands find the arena."""
        return ("--server", self.address, "--token", self.token)

    def ann(self, *words: str | Path) -> str:
        """What a command of ann's prints."""
        return done(*words, *self.there, cwd=self.away)

    def ann_reads(self, *words: str | Path) -> dict[str, Any]:
        """The document that a command of ann's prints."""
        return document(*words, *self.there, cwd=self.away)

    def ann_is_refused(self, *words: str | Path, status: int = 2) -> str:
        """The one line with which a command of ann's is refused."""
        told = refused(*words, *self.there, cwd=self.away, status=status)
        assert told.count("\n") == 1, told
        return told

    def operator(self, *words: str | Path) -> str:
        """What a command on the store prints."""
        return done(*words, cwd=self.home)


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """A node, at which ann's crane and bob's deer are connected."""
    home, away = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("away")
    token = done("owner", "create", "ann", cwd=home).strip()
    crane, deer = (
        done("bot", "create", name, "--owner", owner, cwd=home).strip()
        for name, owner in (("crane", "ann"), ("deer", "bob"))
    )
    for name in ("spring", "autumn"):
        done("league", "open", league_file(home, SPRING, name=name, more=RULES), cwd=home)
    with (
        node(home) as (run, address),
        connected_bot(home, address, crane),
        connected_bot(home, address, deer),
        grpc.insecure_channel(address) as channel,
    ):
        wait_until_connected(channel, crane, "crane", "deer")
        yield Arena(home, away, run, address, token, crane, deer)


@pytest.fixture(scope="module")
def played(arena: Arena) -> Arena:
    """The same when ann has entered crane in the league, and the league is over."""
    assert arena.ann("league", "enter", "spring", "crane") == "crane has entered league spring (koikoi)\n"
    assert arena.ann("league", "enter", "spring", "crane") == "crane is in league spring (koikoi) already\n"
    arena.operator("league", "start", "spring")
    arena.run.wait_for(r"league spring, koikoi: over after 2 rounds$")
    return arena


def test_leagues_are_listed_and_shown_as_they_are_on_the_store(played: Arena) -> None:
    for words in (
        ("league", "list"),
        ("league", "show", "autumn"),
        ("league", "show", "spring", "--division", "koikoi", "--head-to-head"),
        ("replay", "list", "--league", "spring"),
    ):
        assert played.ann(*words) == played.operator(*words)
    for words in (("league", "list"), ("league", "show", "spring"), ("replay", "list", "--league", "spring")):
        told = played.ann_reads(*words)
        assert told == document(*words, cwd=played.home)
    assert not list(played.away.iterdir())
    shown = played.ann("league", "show", "spring")
    assert re.search(r"^ *\d crane ", shown, re.MULTILINE)
    assert "Sonneborn-Berger" in shown


def test_a_signed_table_and_replays_are_fetched_and_verified(played: Arena, tmp_path: Path) -> None:
    [line] = [
        splitline
        for splitline in played.operator("doctor", "--data", "arena-data").splitlines()
        if "signing key" in splitline
    ]
    key = line.removeprefix("signing key: ")
    played.ann("league", "table", "spring", tmp_path / "spring.json")
    assert key in done("league", "verify", tmp_path / "spring.json", "--key", key)
    [*_, replay] = [
        one["replay"] for one in played.ann_reads("replay", "list", "--bot", "crane")["replays"] if one["readable"]
    ]
    assert replay.startswith("spring.koikoi.r2.")
    file = tmp_path / "kept" / f"{replay}.hreplay"
    assert played.ann("replay", "download", replay, "--to", file.parent) == f"{file}\n"
    told = done("replay", "verify", file, "--key", key)
    assert told.removeprefix(str(file)) == played.ann("replay", "verify", replay, "--key", key).removeprefix(replay)
    for words in (("replay", "show"), ("replay", "transcript")):
        assert played.ann(*words, replay) == done(*words, file)


def test_who_enters_a_folder_by_its_name_is_told_how_its_bot_enters(arena: Arena) -> None:
    (arena.away / "my-bot").mkdir()
    told = arena.ann_is_refused("league", "enter", "autumn", "my-bot")
    assert told.endswith(f"; send in the bot of this folder first: arena bot submit my-bot --server {arena.address}\n")
    (arena.home / "my-bot").mkdir()
    told = refused("league", "enter", "autumn", "my-bot", cwd=arena.home)
    assert told.endswith("no bot named 'my-bot'; to enter the bot in the folder of this name, say ./my-bot\n")


def test_a_bot_leaves_a_league_that_it_has_entered(arena: Arena) -> None:
    arena.ann("league", "enter", "autumn", "crane", "--nonce", arena.away / "petals")
    assert arena.ann("league", "withdraw", "autumn", "crane") == "crane has withdrawn from league autumn\n"
    assert "'crane' has not entered league 'autumn'" in arena.ann_is_refused("league", "withdraw", "autumn", "crane")


def test_what_is_not_the_callers_is_refused_in_one_line(arena: Arena) -> None:
    for words, why in (
        (("league", "enter", "spring", "deer"), "bot deer is not yours"),
        (("league", "withdraw", "spring", "deer"), "bot deer is not yours"),
        (("bot", "token", "deer"), "bot deer is not yours"),
        (("league", "show", "winter"), "no league named 'winter'"),
        (("league", "enter", "winter", "crane"), "no league named 'winter'"),
        (("league", "table", "winter", "winter.json"), "no league named 'winter'"),
        (("replay", "list", "--league", "winter"), "no league named 'winter'"),
        (("replay", "show", "winter.koikoi.r1.t1.b1.a"), "no replay"),
        (("replay", "download", "nothing"), "no replay"),
        (("league", "show", "spring", "--division", "kyogi"), "league spring has no division of 'kyogi'"),
        (("league", "enter", "spring", "house:greedy"), "with --server a bot enters as NAME or NAME@VERSION"),
        (("league", "enter", "spring", "crane", "--as", "swan"), "under its own name"),
        (("league", "enter", "spring", "crane@zz"), "what follows the @ is a version"),
        (("league", "enter", "spring", "crane@12345678"), "no version"),
    ):
        assert why in arena.ann_is_refused(*words)
    assert not (arena.away / "winter.json").exists()


def test_a_server_and_a_store_are_not_named_at_once(arena: Arena) -> None:
    for words in (("league", "list"), ("replay", "show", "x"), ("bot", "token", "crane"), ("replay", "list")):
        for store in (("--data", "arena-data"), ("--redis", "redis://127.0.0.1:1")):
            told = arena.ann_is_refused(*words, *store)
            assert told == f"error: --server calls an arena, and {store[0]} names a store: give one of them\n"
    # What is typed counts for more than the environment.
    env = {"ARENA_SERVER": arena.address, "ARENA_TOKEN": arena.token}
    assert "there is no store in arena-data" in refused(
        "league", "list", "--data", "arena-data", cwd=arena.away, env=env
    )
    env = {"ARENA_REDIS": "redis://127.0.0.1:1", "ARENA_TOKEN": arena.token}
    there = ("league", "show", "winter", "--server", arena.address)
    assert "no league named 'winter'" in refused(*there, cwd=arena.away, env=env)
    env |= {"ARENA_SERVER": arena.address}
    assert "give one of them" in refused("league", "list", cwd=arena.away, env=env)
    assert "--token is for --server" in refused("league", "list", "--token", arena.token, cwd=arena.away)


def test_an_owner_gives_its_bot_a_new_token(arena: Arena) -> None:
    owl = arena.operator("bot", "create", "owl", "--owner", "ann").strip()
    new = arena.ann("bot", "token", "owl").strip()
    assert new.startswith("hfa_")
    there = ("league", "list", "--server", arena.address, "--token")
    assert "does not know the token" in refused(*there, owl, cwd=arena.away)
    assert "spring" in done(*there, new, cwd=arena.away)


def test_a_challenge_is_made_watched_to_its_end_and_replayed(arena: Arena) -> None:
    crane, deer = "crane", "house:greedy"
    match = arena.ann("match", "challenge", crane, deer, "--option", "months=2").strip()
    shown = arena.ann("match", "watch", match)
    assert [f"month {month} " in shown for month in (1, 2, 3)] == [True, True, False]
    for word in ("crane plays ", "house:greedy plays ", "turns ", "The match was played to its end."):
        assert word in shown
    told = arena.ann_reads("match", "show", match)
    assert (told["status"], told["bots"], told["end"], told["options"]) == (
        "over",
        [crane, deer],
        "completed",
        {"months": "2"},
    )
    for name, points in zip(told["bots"], told["results"], strict=True):
        assert f". {name}  {points}\n" in shown
    assert told in arena.ann_reads("match", "list")["matches"]
    score = f"crane {told['results'][0]} : house:greedy {told['results'][1]}"
    assert score in arena.ann("match", "show", match)
    assert f"{match}  koikoi  over  {score}\n" in arena.ann("match", "list")
    assert score in arena.ann("replay", "verify", told["replay"])
    # A match that is over is told from its replay, the same to the letter.
    assert arena.ann("match", "watch", match) == shown
    watched = arena.ann_reads("match", "watch", match)
    events = watched.pop("events")
    assert watched == told
    assert [event["values"][0] for event in events if event["kind"] == "deal"] == ["1", "2"]
    assert events[-1]["kind"] == "match_end"


def test_single_matches_are_told_the_same_by_the_store_and_over_the_wire_and_deleted_by_who_asked_for_them(
    arena: Arena,
) -> None:
    matches = []
    for _ in range(2):
        matches.append(arena.ann("match", "challenge", "crane", "house:random", "--option", "months=1").strip())
        assert arena.ann_reads("match", "show", matches[-1])["status"] in ("running", "over")
        arena.ann("match", "watch", matches[-1])
    for match in matches:
        assert arena.ann_reads("match", "show", match) == document("match", "show", match, cwd=arena.home)
    assert arena.ann("match", "list") == arena.operator("match", "list")
    assert arena.ann_reads("match", "list") == document("match", "list", cwd=arena.home)
    assert f"arena replay show {matches[0]}\n" in arena.operator("match", "show", matches[0])
    assert f"arena replay show {matches[0]} --server {arena.address}\n" in arena.ann("match", "show", matches[0])
    other = ("--server", arena.address, "--token", arena.deer)
    told = refused("match", "delete", matches[0], *other, cwd=arena.away)
    assert told == "error: a match is deleted by the owner who asked for it\n"
    assert arena.ann("match", "delete", *matches) == "".join(f"match {match} is deleted\n" for match in matches)
    assert "no match" in arena.ann_is_refused("match", "show", matches[0])


def test_an_owner_says_from_whom_its_bot_takes_challenges(arena: Arena) -> None:
    swan = arena.operator("bot", "create", "swan", "--owner", "ann").strip()
    there = ("--server", arena.address, "--token")
    assert arena.ann("bot", "set", "swan", "--challenges", "none") == "swan takes challenges from nobody\n"
    with connected_bot(arena.home, arena.address, swan), grpc.insecure_channel(arena.address) as channel:
        wait_until_connected(channel, swan, "swan")
        assert "it takes none" in arena.ann_is_refused("match", "challenge", "crane", "swan")
        assert "swan  ann  connected  challenges: none\n" in arena.ann("bot", "list")
        done("bot", "set", "swan", "--challenges", "owner", *there, swan, cwd=arena.away)
        match = arena.ann("match", "challenge", "crane", "swan", "--option", "months=1").strip()
        arena.ann("match", "watch", match)
    assert "bot deer is not yours" in arena.ann_is_refused("bot", "set", "deer", "--challenges", "none")


def test_a_declined_challenge_is_told_with_the_bot_that_declined_it(arena: Arena) -> None:
    finch = arena.operator("bot", "create", "finch", "--owner", "ann").strip()
    with (
        connected_bot(arena.home, arena.address, finch, program=DECLINES),
        grpc.insecure_channel(arena.address) as channel,
    ):
        wait_until_connected(channel, finch, "finch")
        match = arena.ann("match", "challenge", "crane", "finch").strip()
        watched = arena.ann("match", "watch", match)
    assert "finch declined the match.\n1. crane  0\n1. finch  0\n" in watched
    line = f"{match}  koikoi  over  crane 0 : finch 0 (finch declined the match)\n"
    assert arena.ann("match", "show", match).startswith(line)
    assert line in arena.ann("match", "list")
    told = arena.ann_reads("match", "show", match)
    assert (told["end"], told["offender"], told["text"]) == ("abandoned", -1, "finch declined the match")


def test_an_owner_gives_itself_a_new_token(arena: Arena) -> None:
    old = arena.operator("owner", "create", "carl").strip()
    there = ("--server", arena.address, "--token")
    assert "give no name" in refused("owner", "token", "carl", *there, old, cwd=arena.away)
    new = done("owner", "token", *there, old, cwd=arena.away).strip()
    assert "does not know the token" in refused("owner", "show", *there, old, cwd=arena.away)
    assert done("owner", "show", *there, new, cwd=arena.away).startswith("carl  0 of ")
    assert "name an owner of the store" in refused("owner", "token", cwd=arena.home)


def test_a_challenge_that_cannot_be_made_and_a_match_that_is_not_there_are_refused(arena: Arena) -> None:
    for words, why in (
        (("challenge", "deer", "crane"), "bot deer is not yours"),
        (("challenge", "crane", "deer"), "it takes those of its owner's bots only"),
        (("challenge", "crane", "house:nobody"), "no house bot"),
        (("challenge", "crane", "house:greedy", "--variant", "poker"), "no variant 'poker'"),
        (("challenge", "crane", "house:greedy", "--option", "moon=1"), "moon"),
        (("show", "nothing"), "no match"),
        (("watch", "nothing"), "no match"),
    ):
        assert why in arena.ann_is_refused("match", *words)
    told = refused("match", "watch", "nothing", cwd=arena.away)
    assert told == "error: this command calls an arena: give --server or ARENA_SERVER\n"
    assert "there is no store in arena-data" in refused("match", "list", cwd=arena.away)
