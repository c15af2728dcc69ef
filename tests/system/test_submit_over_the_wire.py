"""Agents that are sent in from another machine, with nodes that are killed in the middle."""

import asyncio
import hashlib
import os
import random
import re
import signal
import socket
from pathlib import Path

import pytest
import redis
from arena_command import ARENA, DEADLINE_S, arena, document, done, refused, running
from bots_in_tests import BOT, MANIFEST
from killing_proxy import KillingProxy, killable_node
from one_node import bearer, node
from several_nodes import Node, Nodes, redis_server
from store_servers import free_port, until

from arena.packs.packing import pack
from arena.store import BotVersion, Store
from arena.store.scripts import SCRIPTS
from arena.submissions.following import follow
from hanafuda.arena.v1 import submission_pb2, submission_pb2_grpc

pytestmark = pytest.mark.usefixtures("bubblewrap")

CHUNK = 48 << 10


@pytest.fixture
def ann(tmp_path: Path) -> Path:
    """The folder of a bot that plays well enough, far from any store."""
    folder = tmp_path / "away" / "ann"
    folder.mkdir(parents=True)
    (folder / "bot.toml").write_text(MANIFEST)
    (folder / "bot.py").write_text(BOT.format(answer="decision.legal[0]"))
    return folder


def owner(folder: Path, name: str, *where: str) -> str:
    """Make an owner; its token."""
    return done("owner", "create", name, *where, cwd=folder).strip()


def test_a_bot_is_sent_in_followed_activated_and_retired_from_elsewhere(tmp_path: Path, ann: Path) -> None:
    alice, bob = owner(tmp_path, "alice"), owner(tmp_path, "bob")
    with node(tmp_path) as (_, address):
        there = ("--server", address, "--token", alice)
        said = done("bot", "submit", ann, "--activate", *there, cwd=ann)
        size = len(pack(ann).data)
        assert f"\nsent     {size:,} of {size:,} bytes\n" in said
        assert "ok       plays koikoi\nok       answers a dealt hand of koikoi\n" in said
        [one] = document("bot", "versions", "ann", *there, cwd=ann)["versions"]
        assert said.endswith(f"ann@{one['version'][:12]} is active\n")
        assert (one["status"], one["active"], one["reproducible"]) == ("qualified", True, True)
        [kept] = document("bot", "versions", "ann", cwd=tmp_path)["versions"]
        assert kept == one, "the store says the same"
        assert done("bot", "list", *there, cwd=ann) == f"ann  alice  active: {one['version'][:12]}\n"
        again = done("bot", "submit", ann, *there, cwd=ann).splitlines()[1:]
        assert again == ["known    this content was submitted before, and is active", said.splitlines()[-1]]
        assert done("bot", "retire", "ann", one["version"][:6], *there, cwd=ann).endswith(" is retired\n")
        assert done("bot", "activate", "ann", one["version"][:6], *there, cwd=ann).endswith(" is active\n")

        shown = document("owner", "show", *there, cwd=ann)
        assert shown == document("owner", "show", "alice", cwd=tmp_path)
        assert shown["usage"] == {"bots": 1, "packed_bytes": size, "submissions": 1}
        assert "alice  1 of 10 bots, at most 100 versions of each" in done("owner", "show", *there, cwd=ann)
        assert "name an owner of the store, or give --server" in refused("owner", "show", cwd=tmp_path)

        (ann / "bot.py").write_text(BOT.format(answer="1 / 0 if decision.number == 3 else decision.legal[0]"))
        failed = arena("bot", "submit", ann, *there, cwd=ann)
        assert failed.returncode == 1
        assert "FAILED   plays koikoi\n" in failed.stdout
        assert "failed: plays koikoi: bot_error" in failed.stderr
        assert "ZeroDivisionError: division by zero" in failed.stderr
        assert re.search(r"decision 3 of match \S+, seat [01]: bot_error", failed.stderr)

        told = refused("bot", "submit", ann, "--server", address, "--token", bob, cwd=ann)
        assert told == (
            "error: the name 'ann' is another owner's or a house bot's, or differs from one by case alone; "
            "choose another\n"
        )
        told = refused("bot", "retire", "ann", one["version"], "--server", address, "--token", bob, cwd=ann)
        assert told == "error: bot ann is not yours\n"
        done("owner", "limits", "alice", "--versions", "1", cwd=tmp_path)
        (ann / "bot.py").write_text(BOT.format(answer="decision.legal[-1]"))
        told = refused("bot", "submit", ann, *there, cwd=ann)
        assert "owner 'alice' may have at most 1 versions of a bot; ask the arena's operator for more" in told


def test_what_a_killed_node_acknowledged_of_an_upload_is_there_at_another_one(
    tmp_path: Path, ann: Path, nodes: Nodes
) -> None:
    (ann / "filler").write_bytes(random.Random(7).randbytes(4 * CHUNK))
    packed = pack(ann)
    begin = submission_pb2.BeginUploadRequest(
        bot="ann", version=packed.version, size=len(packed.data), sha256=hashlib.sha256(packed.data).digest()
    )
    one, two = nodes.start(), nodes.start()
    metadata = bearer(owner(tmp_path, "alice", "--redis", nodes.url))

    def service(at: Node) -> submission_pb2_grpc.SubmissionServiceStub:
        return submission_pb2_grpc.SubmissionServiceStub(at.channel)

    def append(at: Node, offset: int) -> int:
        chunk = submission_pb2.AppendUploadRequest(
            version=packed.version, offset=offset, data=packed.data[offset : offset + CHUNK]
        )
        return service(at).AppendUpload(chunk, metadata=metadata, timeout=DEADLINE_S).received

    assert service(one).BeginUpload(begin, metadata=metadata, timeout=DEADLINE_S).received == 0
    assert append(one, append(one, 0)) == 2 * CHUNK
    one.kill()
    assert service(two).BeginUpload(begin, metadata=metadata, timeout=DEADLINE_S).received == 2 * CHUNK
    # The command goes on from there, and finds the node that lives.
    with running(
        *("bot", "submit", ann, "--server", f"{one.address},{two.address}"),
        env={"ARENA_TOKEN": metadata[0][1].removeprefix("Bearer ")},
        cwd=ann,
    ) as run:
        first = run.wait_for(r"sent     ([\d,]+) of")[1]
        assert int(first.replace(",", "")) == 2 * CHUNK
        run.wait_for(" is qualified")
        assert run.end() == 0


def test_a_command_goes_on_with_its_upload_at_another_node_when_its_own_is_killed(
    tmp_path: Path, ann: Path, nodes: Nodes
) -> None:
    (ann / "filler").write_bytes(random.Random(7).randbytes(200 * CHUNK))
    one, two = nodes.start(), nodes.start()
    env = {"ARENA_TOKEN": owner(tmp_path, "alice", "--redis", nodes.url)}
    there = f"{one.address},{two.address}"
    with running("bot", "submit", ann, "--server", there, env=env, cwd=ann) as run:
        run.wait_for("sent ")
        one.kill()
        run.wait_for(" is qualified")
        assert run.end() == 0
    sent = [line for line in run.lines if line.startswith("sent")]
    assert len(sent) == len(set(sent)) == 10, "nothing was sent twice"


def test_a_command_says_soon_that_an_arena_does_not_answer(ann: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        with running("bot", "submit", ann, "--server", address, "--token", "hfo_x", cwd=ann) as run:
            run.wait_for(f"waits    up to 60 s: no arena answers at {address}: nothing came within 3 s")


def test_a_qualification_whose_node_is_killed_is_done_by_another_one_and_followed_there(
    tmp_path: Path, ann: Path, nodes: Nodes
) -> None:
    (ann / "bot.py").write_text("import time\n" + BOT.format(answer="time.sleep(0.02) or decision.legal[0]"))
    one = nodes.start()
    env = {"ARENA_TOKEN": owner(tmp_path, "alice", "--redis", nodes.url)}
    other = f"127.0.0.1:{free_port()}"
    with running("bot", "submit", ann, "--server", f"{one.address},{other}", env=env, cwd=ann) as run:
        run.wait_for("ok       plays koikoi")
        one.kill()
        run.wait_for("waits    up to 60 s: no arena answers at ")
        nodes.start(listen=other)
        run.wait_for("again    from the first step: the node that qualified it was lost")
        run.wait_for(" is qualified")
        assert run.end() == 0
    assert [line for line in run.lines if line.startswith("ok")] == [
        "ok       plays koikoi",
        "ok       plays koikoi",
        "ok       answers a dealt hand of koikoi",
    ]
    [version] = document("bot", "versions", "ann", "--redis", nodes.url, cwd=tmp_path)["versions"]
    assert version["status"] == "qualified"


async def test_a_version_whose_node_is_killed_before_it_is_counted_is_counted_though_nobody_sends_it_again(
    tmp_path: Path, ann: Path
) -> None:
    packed, port = pack(ann), free_port()
    with redis_server(tmp_path) as url, redis.Redis.from_url(url) as client:
        client.script_load(SCRIPTS["create_version"].source)
        async with await Store.open(redis=url) as store, asyncio.timeout(DEADLINE_S):
            _, token = await store.owners.create("alice")
            async with (
                KillingProxy(url, SCRIPTS["create_version"], 1, run=True).serving() as proxy,
                killable_node(tmp_path, proxy.url, f"127.0.0.1:{port}") as first,
            ):
                proxy.victim = first
                await until(lambda: listens(port), "the node listens")
                submit = await asyncio.create_subprocess_exec(
                    *(ARENA, "bot", "submit", ann, "--server", f"127.0.0.1:{port}"),
                    env={**os.environ, "ARENA_TOKEN": token},
                    stdout=asyncio.subprocess.DEVNULL,
                )
                assert await asyncio.to_thread(first.wait) == -signal.SIGKILL
                submit.kill()
                await submit.wait()
            assert (await store.owners.usage("alice")).packed_bytes == 0, "made, and not counted yet"
            async with killable_node(tmp_path, url):
                async for told in follow(store, "ann", packed.version):
                    last = told
            assert isinstance(last, BotVersion)
            assert last.status == "qualified"
            assert (await store.owners.usage("alice")).packed_bytes == len(packed.data)
            assert await store.packs.get(packed.version) == packed.data


def listens(port: int) -> bool:
    """Whether somebody listens at a port."""
    with socket.socket() as made:
        return made.connect_ex(("127.0.0.1", port)) == 0
