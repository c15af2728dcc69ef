"""What one owner can take from the others of an arena: real nodes, commands, bots and tokens."""

import asyncio
from pathlib import Path
from typing import Any

import grpc
import pytest
from arena_command import DEADLINE_S, document, done, league_file, league_is_over, refused, running, until
from bots_in_tests import BOT, MANIFEST
from one_node import bearer, node
from several_nodes import Nodes, several_nodes

from arena.store import Store
from hanafuda.arena.v1 import bot_pb2, bot_pb2_grpc, match_pb2, match_pb2_grpc

ABANDONED = match_pb2.MATCH_END_REASON_ABANDONED
HOUR_S = 3_600


def versions(folder: Path, bot: str) -> list[dict[str, Any]]:
    """A bot's versions, as the operator lists them."""
    listed: list[dict[str, Any]] = document("bot", "versions", bot, cwd=folder)["versions"]
    return listed


def matches(nodes: Nodes, address: grpc.Channel, name: str) -> list[match_pb2.Match]:
    """The single matches, as a bot lists them."""
    stub = match_pb2_grpc.MatchServiceStub(address)
    request = match_pb2.ListMatchesRequest(page_size=100)
    return list(stub.ListMatches(request, metadata=nodes.metadata(name), timeout=DEADLINE_S).matches)


def test_challenges_between_two_bots_that_never_answer_stop_no_league(tmp_path: Path) -> None:
    with several_nodes(tmp_path) as nodes:
        one = nodes.start("--challenge-clock", str(HOUR_S), "--challenges-open", "64")
        for name in ("mute", "mum"):
            nodes.bot(name, one, think_s=HOUR_S, max_matches=64)
        nodes.wait_until_connected(one, "mute", "mum")
        clock = match_pb2.TimeControl(per_decision_ms=1000 * HOUR_S)
        for _ in range(64):
            nodes.challenge(one, "mute", "mum", time_control=clock)
        with pytest.raises(grpc.RpcError, match="64"):
            nodes.challenge(one, "mute", "mum", time_control=clock)
        file = league_file(tmp_path, ["house:greedy", "house:random"], more="options = { months = 1 }\n")
        where = ("--redis", nodes.url)
        done("league", "open", file, *where, cwd=tmp_path)
        done("league", "start", "spring", *where, cwd=tmp_path)
        until(lambda: league_is_over(tmp_path, *where), "the league is over")
        assert [one.status for one in matches(nodes, one.channel, "mute")] == [match_pb2.MATCH_STATUS_RUNNING] * 64


# Waits over its first decision for what never comes.
WAITS = """\
import signal
from arena.sdk import Bot, run

class Waits(Bot):
    def choose(self, decision):
        signal.pause()

run(Waits())
"""


@pytest.mark.usefixtures("bubblewrap")
@pytest.mark.parametrize("processors", [1, 9])
def test_a_league_of_caged_bots_that_never_answer_holds_up_no_other(tmp_path: Path, processors: int) -> None:
    (tmp_path / "waits.py").write_text(WAITS)
    (tmp_path / "quick.py").write_text(BOT.format(answer="decision.legal[0]"))
    # More matches than a node has processors for them, or plays at once with bots that are started for them.
    clock = f"per_decision_ms = {1000 * HOUR_S}\n"
    asleep = league_file(tmp_path, 4 * ["./waits.py"], name="asleep", boards=3, more=clock)
    spring = league_file(tmp_path, 2 * ["./quick.py"], more="options = { months = 1 }\n")
    with node(tmp_path, "--processors", str(processors)):
        for name, file in (("asleep", asleep), ("spring", spring)):
            done("league", "open", file, cwd=tmp_path)
            done("league", "start", name, cwd=tmp_path)
        until(lambda: league_is_over(tmp_path), "the league is over")
        assert not league_is_over(tmp_path, name="asleep")


# Answers in its qualification, and never in a challenge.
MUTE_IN_CHALLENGES = """\
import signal
from arena.sdk import Bot, run

class Mute(Bot):
    is_challenged = False

    def accepts(self, match):
        self.is_challenged = True
        return True

    def choose(self, decision):
        while self.is_challenged:
            {instead}
        return decision.legal[0]

run(Mute())
"""


@pytest.mark.usefixtures("bubblewrap")
@pytest.mark.parametrize("instead", ["signal.pause()", "pass"], ids=["wait", "compute"])
def test_challenges_of_submitted_bots_that_never_answer_hold_up_no_other_owner_and_no_league(
    tmp_path: Path, instead: str
) -> None:
    tokens = {name: done("owner", "create", name, cwd=tmp_path).strip() for name in ("ann", "bob")}
    mute = MUTE_IN_CHALLENGES.format(instead=instead)
    sources = {"ann": ("mute", mute), "bob": ("crane", BOT.format(answer="decision.legal[0]"))}
    limits = ("--challenge-clock", str(HOUR_S), "--challenges-open", "3")
    with node(tmp_path, "--processors", "1", *limits) as (_, address):

        def to(owner: str) -> tuple[str, ...]:
            return ("--server", address, "--token", tokens[owner])

        for owner, (bot, source) in sources.items():
            (folder := tmp_path / bot).mkdir()
            (folder / "bot.toml").write_text(MANIFEST.replace('"ann"', f'"{bot}"'))
            (folder / "bot.py").write_text(source)
            done("bot", "submit", folder, "--activate", *to(owner), cwd=tmp_path)
        assert "crane takes no challenge" in refused("match", "challenge", "mute", "crane", *to("ann"), cwd=tmp_path)
        [one] = versions(tmp_path, "crane")
        version = f"crane@{one['version'][:8]}"
        assert "by its name alone" in refused("match", "challenge", "mute", version, *to("ann"), cwd=tmp_path)
        spring = league_file(tmp_path, ["crane", "house:random"], rounds=1, more="options = { months = 1 }\n")
        done("league", "open", spring, cwd=tmp_path)
        clock = ("--decision-ms", str(1000 * HOUR_S))
        for _ in range(3):
            done("match", "challenge", "mute", "house:random", *clock, *to("ann"), cwd=tmp_path)
        assert "at most 3" in refused("match", "challenge", "mute", "house:random", *to("ann"), cwd=tmp_path)
        done("league", "start", "spring", cwd=tmp_path)
        for bot in ("crane", version):
            wanted = ("match", "challenge", bot, "house:greedy", "--option", "months=1")
            match = done(*wanted, *to("bob"), cwd=tmp_path).split()[-1]
            done("match", "watch", match, *to("bob"), cwd=tmp_path)
            assert f"crane {one['version']}" in done("replay", "show", match, *to("bob"), cwd=tmp_path)
        until(lambda: league_is_over(tmp_path), "the league is over")
        left = document("match", "list", *to("ann"), cwd=tmp_path)["matches"]
        assert [one["status"] for one in left].count("running") == 3
    assert "played the same again" in done("replay", "rerun", match, cwd=tmp_path)


@pytest.mark.usefixtures("bubblewrap")
def test_nodes_share_an_owners_challenges_in_cages_and_all_end_soon_after_the_owner(tmp_path: Path) -> None:
    with several_nodes(tmp_path) as nodes:
        where = ("--redis", nodes.url)
        one, two = (nodes.start("--challenge-clock", str(HOUR_S)) for _ in range(2))
        ann = done("owner", "create", "ann", *where, cwd=tmp_path).strip()
        (tmp_path / "mute").mkdir()
        (tmp_path / "mute" / "bot.toml").write_text(MANIFEST.replace('"ann"', '"mute"'))
        (tmp_path / "mute" / "bot.py").write_text(MUTE_IN_CHALLENGES.format(instead="signal.pause()"))
        to = ("--server", one.address, "--token", ann)
        done("bot", "submit", "mute", "--activate", *to, cwd=tmp_path)
        clock = ("--decision-ms", str(1000 * HOUR_S))
        challenge = ("match", "challenge", "mute", "house:random", *clock, *to)
        caged = [done(*challenge, cwd=tmp_path).split()[-1] for _ in range(3)]

        async def players() -> set[str]:
            async with await Store.open(redis=nodes.url) as store:
                return {await store.matches.player(match) for match in caged}

        until(lambda: len(asyncio.run(players())) == 3, "each node has one of them, and nobody the third")
        nodes.token("crane", "--owner", "ann")
        _, deer = (nodes.bot(name, two, think_s=HOUR_S) for name in ("crane", "deer"))
        nodes.wait_until_connected(one, "crane", "deer")
        hour = {"time_control": match_pb2.TimeControl(per_decision_ms=1000 * HOUR_S)}
        connected = nodes.challenge(one, "crane", "deer", **hour)
        others = nodes.challenge(one, "deer", "house:random", **hour)
        # Of a match that never began nobody is told the end.
        until(lambda: deer.has_started(connected), "the match has begun")
        done("owner", "end", "ann", *where, cwd=tmp_path)
        for match in (*caged, connected):
            end = nodes.ended(two, match, "deer").end
            assert (end.reason, end.offender, end.text) == (ABANDONED, -1, "owner ann has ended")
        until(lambda: deer.ends(connected) == [ABANDONED], "the other bot is told")
        running = {match.match_id for match in matches(nodes, one.channel, "deer") if not match.HasField("end")}
        assert running == {others}


@pytest.mark.usefixtures("bubblewrap")
def test_a_submission_that_thinks_long_holds_up_no_league_and_no_submission_of_others(tmp_path: Path) -> None:
    tokens = {name: done("owner", "create", name, cwd=tmp_path).strip() for name in ("ann", "bob")}

    def folder(name: str, answer: str, variants: str) -> Path:
        made = tmp_path / name
        made.mkdir()
        manifest = MANIFEST.replace('"ann"', f'"{name}"').replace('["koikoi"]', variants)
        (made / "bot.toml").write_text(manifest)
        (made / "bot.py").write_text("import time\n" + BOT.format(answer=answer))
        return made

    # A place to think is all that there is; this bot takes nearly all its time for each of hundreds of decisions.
    slow = folder("slow", "time.sleep(1.9) or decision.legal[0]", "[]")
    quick = [folder(name, "decision.legal[0]", '["koikoi"]') for name in ("crane", "deer", "swan")]
    with node(tmp_path, "--processors", "1") as (_, address):

        def to(owner: str) -> tuple[str, ...]:
            return ("--server", address, "--token", tokens[owner])

        for bot in quick[:2]:
            done("bot", "submit", bot, "--activate", *to("bob"), cwd=tmp_path)
        with (
            running("bot", "submit", slow, *to("ann"), cwd=tmp_path) as submitting,
            grpc.insecure_channel(address) as channel,
        ):
            submitting.wait_for("sent")
            done("league", "open", league_file(tmp_path, ["crane", "deer"], rounds=1), cwd=tmp_path)
            done("league", "start", "spring", cwd=tmp_path)
            done("bot", "submit", quick[2], *to("bob"), cwd=tmp_path)
            until(lambda: league_is_over(tmp_path), "the league is over")
            bots = bot_pb2_grpc.BotServiceStub(channel)
            found = bots.GetBot(bot_pb2.GetBotRequest(name="slow"), metadata=bearer(tokens["ann"]), timeout=DEADLINE_S)
            assert found.bot.versions[0].status == bot_pb2.VERSION_STATUS_QUALIFYING
            # Its owner ends while it qualifies: its command and the qualification end, and nothing of it plays.
            done("owner", "end", "ann", cwd=tmp_path)
            until(lambda: versions(tmp_path, "slow")[0]["status"] == "failed", "the qualification has ended")
            assert "owner ann has ended" in versions(tmp_path, "slow")[0]["failure"]
            # Of the two it hears of one first: its token works no more, and the qualification has failed.
            reason = {2: "token", 1: "owner ann has ended"}[submitting.end()]
            assert any(reason in line for line in submitting.lines), submitting.lines
