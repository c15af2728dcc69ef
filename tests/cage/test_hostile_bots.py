"""Hostile bots get nothing, harm nobody, and their ends name the reason. Each is a file of the folder `hostile`."""

import asyncio
import fcntl
import os
import socket
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest
from arena_command import until
from msgspec.structs import replace

from arena.launcher.cage.bot import caged
from arena.launcher.cage.cages import Cages
from arena.launcher.cage.process import Ending
from arena.launcher.cage.program import BOT, Program
from arena.launcher.cage.runtimes import runtime
from arena.launcher.errors import BotStartError
from arena.match.model import End, MatchSpec, TimeControl
from arena.match.play import play
from arena.seats.in_process import InProcessSeat
from arena.stream.hub import Hub
from bots import house

HOSTILE = Path(__file__).parent / "hostile"
WITH_HELPERS = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
"""An environment in which a program finds the modules of the tests."""


@pytest.fixture(params=["forked", "started afresh"])
def cages(cages: Cages, request: pytest.FixtureRequest) -> Cages:
    """Cages by both ways of starting a Python bot."""
    if request.param == "started afresh":
        cages.fork_servers.close()
    else:
        request.getfixturevalue("fork_servers")
    return cages


def hostile(name: str, *arguments: str, single_threaded: bool = False) -> Program:
    command = ("/usr/bin/python", f"{BOT}/{name}.py", *arguments)
    return Program(command, runtime("python"), HOSTILE, frozen=True, single_threaded=single_threaded)


async def ending(cages: Cages, name: str, *arguments: str, single_threaded: bool = False) -> Ending:
    """Run a hostile bot to its own end."""
    process = await cages.start(hostile(name, *arguments, single_threaded=single_threaded))
    process.go()
    try:
        return await asyncio.shield(process.ended)
    finally:
        await process.close()


def check_all_refused(output: str) -> None:
    """That a hostile bot was refused all that it tried, as the last line of its output tells."""
    assert "GOT" not in output, output
    refused, tried = output.splitlines()[-1].removeprefix("refused ").split(" of ")
    assert int(refused) == int(tried) > 0, output


def check_harmless(ended: Ending) -> None:
    """That a hostile bot ran to its own end and got nothing."""
    assert ended.status == 0, ended
    check_all_refused(ended.last_output)


@contextmanager
def data_folder(folder: Path) -> Iterator[Path]:
    """Like a node's: with a socket that answers and a secret, here for everybody to read."""
    folder.chmod(0o755)
    (folder / "secret").write_text("cards")
    with socket.socket(socket.AF_UNIX) as store:
        store.bind(str(folder / "store.sock"))
        store.listen()
        (folder / "store.sock").chmod(0o777)
        yield folder


async def test_a_bot_reads_nothing_of_the_node(cages: Cages, short_path: Path) -> None:
    with data_folder(short_path) as data:
        check_harmless(await ending(cages, "reads_the_node", str(data), str(os.getpid())))


async def test_a_bot_does_not_see_signal_or_trace_others(cages: Cages) -> None:
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as victim:
        check_harmless(await ending(cages, "meddles_with_others", str(victim.pid)))
        assert victim.poll() is None


async def test_a_bot_reaches_no_network_and_no_abstract_socket(cages: Cages) -> None:
    name = f"hostile-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as abstract, socket.create_server(("127.0.0.1", 0)) as port:
        abstract.bind(f"\0{name}")
        abstract.listen()
        check_harmless(await ending(cages, "reaches_networks", name, str(port.getsockname()[1])))


async def test_a_bot_makes_no_namespaces_mounts_devices_or_links_that_lead_out(cages: Cages) -> None:
    check_harmless(await ending(cages, "breaks_walls"))


async def test_a_bot_writes_nothing_of_its_runtime_or_its_own_files(cages: Cages) -> None:
    check_harmless(await ending(cages, "writes_its_runtime"))


async def test_a_bot_leaves_nothing_for_its_twin(cages: Cages) -> None:
    first = await cages.start(hostile("leaves_something"))
    first.go()
    second = await cages.start(hostile("leaves_something"))
    second.go()
    for twin in (first, second):
        check_harmless(await asyncio.shield(twin.ended))
        await twin.close()
    check_harmless(await ending(cages, "leaves_something"))


async def test_a_bot_leaves_nothing_in_its_fork_server_for_its_twin_and_finds_nothing_there(cages: Cages) -> None:
    other = await cages.start(hostile("says_nothing", "others-argument"))
    other.go()
    with open(f"/proc/{other.first}/maps") as file:  # noqa: ASYNC230
        mapped = file.read().splitlines()
    for line in mapped:
        assert not line.split()[1].endswith("ws"), f"memory that it shares: {line}"
    drawn = set()
    for _ in range(2):
        ended = await ending(cages, "leaves_something_in_its_fork_server", "own-argument")
        check_harmless(ended)
        drawn |= set(ended.last_output.split("drew ")[1].splitlines()[0].split())
    await other.close()
    assert len(drawn) == 6, "random numbers are every bot's own"


async def test_forking_ends_at_the_limit_and_nothing_of_it_is_left(cages: Cages) -> None:
    process = await cages.start(hostile("forks"))
    process.go()
    cage = namespace(process.first)
    os.write(process.stdin, b"\n")
    ended = await asyncio.shield(process.ended)
    await process.close()
    assert "refused after" in ended.last_output
    assert 0 < int(ended.last_output.split()[2]) <= cages.limits.processes
    assert cage
    assert inside(cage) == []


async def test_allocating_ends_the_bot_and_names_its_memory(cages: Cages) -> None:
    ended = await ending(cages, "allocates")
    if "memory" in cages.cgroups.controllers:
        assert ended.detail == "used up its 64 MiB of memory"
    else:
        assert "MemoryError" in ended.last_output


@pytest.mark.parametrize("single_threaded", [False, True])
async def test_a_bot_has_one_process_where_no_control_group_limits_their_memory(
    cages: Cages, single_threaded: bool
) -> None:
    cages.cgroups.close()
    check_harmless(await ending(cages, "starts_processes", single_threaded=single_threaded))


async def test_a_bot_does_not_reach_the_disks_that_it_wants_to_keep_busy(cages: Cages) -> None:
    check_harmless(await ending(cages, "keeps_disks_busy"))


async def test_a_bot_does_not_see_what_others_do_to_the_machine(cages: Cages) -> None:
    check_harmless(await ending(cages, "hears_the_machine"))


async def test_a_bot_does_not_change_its_pipes(cages: Cages) -> None:
    check_harmless(await ending(cages, "bends_its_pipes"))


async def test_a_single_threaded_bot_gets_nothing_that_could_run_it_while_it_waits_for_its_input(cages: Cages) -> None:
    check_harmless(await ending(cages, "runs_unasked", single_threaded=True))


async def test_a_bots_folder_is_small(cages: Cages) -> None:
    ended = await ending(cages, "fills")
    assert "GOT" not in ended.last_output
    held = int(ended.last_output.split("holds ")[1].split()[0])
    assert 0 < held <= cages.limits.folder_bytes


async def test_a_flooded_log_ends_the_bot(cages: Cages) -> None:
    ended = await ending(cages, "fills_the_log")
    assert ended.detail == f"printed more than {cages.limits.output_bytes / 2**20:g} MiB"


async def test_a_log_that_is_written_byte_by_byte_does_not_keep_the_node_busy(cages: Cages) -> None:
    check_harmless(await ending(cages, "writes_byte_by_byte", "2"))


@pytest.mark.parametrize(
    ("name", "start_s", "words"),
    [
        ("writes_garbage", 60.0, "broke the protocol: what it wrote is no PlayRequest; only messages of the protocol"),
        ("writes_too_much", 60.0, "at most 65536 are allowed"),
        ("writes_byte_by_byte 1", 60.0, "broke the protocol: a message in more than 256 pieces"),
        ("says_nothing", 2.0, "said no Hello within 2 s:"),
        ("prints", 2.0, "said no Hello within 2 s; only messages of the protocol may go to standard output:"),
        ("burns", 1.0, "said no Hello within 1 s"),
    ],
)
async def test_a_bot_that_says_no_hello_is_ended(cages: Cages, name: str, start_s: float, words: str) -> None:
    cages.limits = replace(cages.limits, start_s=start_s)
    with pytest.raises(BotStartError, match=words):
        async with caged(cages, Hub(), hostile(*name.split()), "hostile"):
            pass


@pytest.mark.parametrize(("descriptor", "name"), [("0", "input"), ("1", "output")])
async def test_a_bot_that_closes_a_pipe_and_runs_on_forfeits_at_once(cages: Cages, descriptor: str, name: str) -> None:
    async with caged(cages, Hub(), hostile("closes_a_pipe", descriptor, "playing"), "closes") as bot:
        result = await play(
            MatchSpec("m0", "koikoi", bytes(32), ("closes", "random"), time=TimeControl(3_600_000, 0)),
            [bot.seat(), InProcessSeat(house("random"))],
        )
    assert (result.end, result.offender) == (End.BOT_ERROR, 0)
    assert f"bot closes closed its standard {name}" in result.text
    assert (await asyncio.shield(bot.process.ended)).detail == f"closed its standard {name}"


async def test_a_bot_whose_closed_input_another_process_still_holds_forfeits_when_that_lets_go(cages: Cages) -> None:
    async with caged(cages, Hub(), hostile("closes_a_pipe", "0", "playing"), "closes") as bot:
        pipe = os.fstat(bot.process.stdin).st_ino

        def ends() -> list[Path]:
            found = []
            for one in Path(f"/proc/{bot.process.first}/fd").iterdir():
                with suppress(FileNotFoundError):  # it was just closed
                    found += [one] if one.stat().st_ino == pipe else []
            return found

        held = os.open(ends()[0], os.O_RDONLY | os.O_NONBLOCK)
        match = asyncio.create_task(
            play(
                MatchSpec("m0", "koikoi", bytes(32), ("closes", "random"), time=TimeControl(3_600_000, 0)),
                [bot.seat(), InProcessSeat(house("random"))],
            )
        )

        def is_asked_in_vain() -> bool:
            return not ends() and any(fcntl.ioctl(held, termios.FIONREAD, bytes(4)))

        await asyncio.to_thread(until, is_asked_in_vain, "the next question is in the pipe")
        assert not match.done()
        os.close(held)
        result = await match
    assert (result.end, result.offender) == (End.BOT_ERROR, 0)
    assert "bot closes closed its standard input" in result.text


async def test_a_bot_that_closes_its_output_before_its_hello_is_ended_at_once(cages: Cages) -> None:
    with pytest.raises(BotStartError, match="closed its standard output"):
        async with caged(cages, Hub(), hostile("closes_a_pipe", "1", "starting"), "closes"):
            pass


async def test_a_flood_of_moves_ends_the_match(cages: Cages) -> None:
    async with caged(cages, Hub(), hostile("fills_the_pipe"), "flood") as bot:
        result = await play(
            MatchSpec("m0", "koikoi", bytes(32), ("flood", "random")), [bot.seat(), InProcessSeat(house("random"))]
        )
    assert (result.end, result.offender) == (End.BOT_ERROR, 0)
    assert "answered nothing" in result.text


async def test_a_daemon_does_not_outlive_its_match(cages: Cages) -> None:
    async with caged(cages, Hub(), hostile("leaves_a_daemon"), "daemon") as bot:
        cage = namespace(bot.process.first)
        assert len(inside(cage)) >= 2
        assert bot.process.first in inside(cage)
        result = await play(
            MatchSpec("m0", "koikoi", bytes(32), ("daemon", "random")), [bot.seat(), InProcessSeat(house("random"))]
        )
        assert result.end is End.COMPLETED
    assert inside(cage) == []


async def test_a_bot_that_is_stopped_does_not_wake_itself(cages: Cages) -> None:
    cages.cgroups.close()  # and so its node can only stop it
    async with caged(cages, Hub(), hostile("wakes_itself"), "wakes") as bot:
        result = await play(
            MatchSpec("m0", "koikoi", bytes(32), ("wakes", "random")), [bot.seat(), InProcessSeat(house("random"))]
        )
        assert result.end is End.COMPLETED, result.text
        check_all_refused(bot.process.last_output())
        cage = namespace(bot.process.first)
        await asyncio.to_thread(until, lambda: all(map(is_stopped, inside(cage))), "all of it is stopped")
        await asyncio.sleep(0.2)  # in which nothing may happen
        assert all(map(is_stopped, inside(cage)))


async def test_a_bot_has_no_child_that_is_not_its_cages(cages: Cages) -> None:
    check_harmless(await ending(cages, "leaves_a_sibling"))


def namespace(pid: int) -> str:
    """The namespace of processes that a process is in; empty where it is gone."""
    try:
        return os.readlink(f"/proc/{pid}/ns/pid")
    except (FileNotFoundError, PermissionError):
        return ""


def is_stopped(pid: int) -> bool:
    """Whether the process is stopped, or has ended."""
    try:
        return psutil.Process(pid).status() in (psutil.STATUS_STOPPED, psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    except psutil.NoSuchProcess:
        return True


def inside(cage: str) -> list[int]:
    """The processes in a namespace."""
    return [pid for pid in psutil.pids() if namespace(pid) == cage]


async def test_processor_time_is_limited(cages: Cages) -> None:
    cages.limits = replace(cages.limits, processor_s=1)
    ended = await ending(cages, "burns")
    assert ended.detail == "used up its 1 s of processor time"


NODE = """\
import asyncio, sys
from arena.launcher.cage.cages import Cages
from tests.cage.test_hostile_bots import hostile

async def main():
    process = await Cages().start(hostile("writes_garbage"))
    process.go()
    started = asyncio.Event()
    asyncio.get_running_loop().add_reader(process.stdout, started.set)
    await started.wait()
    asyncio.get_running_loop().remove_reader(process.stdout)
    process.freezer.freeze()
    print("started", flush=True)
    await process.ended

asyncio.run(main())
"""


async def test_a_cage_does_not_outlive_a_node_that_is_killed() -> None:
    root = Path(__file__).parents[2]
    node = subprocess.Popen([sys.executable, "-c", NODE], cwd=root, env=WITH_HELPERS, stdout=subprocess.PIPE, text=True)
    assert await asyncio.to_thread(node.stdout.readline) == "started\n"
    started = psutil.Process(node.pid).children(recursive=True)
    assert [process.name() for process in started].count("bwrap") >= 1
    assert len(started) == (3 if os.geteuid() else 6), "the watchdog, bubblewrap twice, the fork server, pause, the bot"
    node.kill()
    node.wait()
    node.stdout.close()
    _, alive = await asyncio.to_thread(psutil.wait_procs, started, 30)
    assert alive == []


# Starts a cage in each of many processes, which are killed a little later in its start each time.
KILLED = """\
import asyncio, os, select, signal
from arena.launcher.cage.cages import Cages
from tests.cage.test_hostile_bots import hostile

async def start(tell):
    cages = Cages()
    cages._runtimes[hostile("says_nothing").runtime] = staged
    os.write(tell, cages._watchdog.marker.encode())
    (await cages.start(hostile("says_nothing"))).go()
    await asyncio.Event().wait()

warm = Cages()
staged = warm._staged(hostile("says_nothing").runtime)
for number in range(24):
    told, tell = os.pipe()
    child = os.fork()
    if not child:
        asyncio.run(start(tell))
    print(os.read(told, 100).decode(), flush=True)
    select.select([], [], [], number / 1000)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
"""


async def test_no_cage_is_left_of_a_node_that_is_killed_in_the_middle_of_its_start() -> None:
    run = subprocess.run(
        [sys.executable, "-c", KILLED],
        cwd=Path(__file__).parents[2],
        env=WITH_HELPERS,
        stdout=subprocess.PIPE,
        text=True,
    )
    markers = set(run.stdout.split())
    assert len(markers) == 24
    attributes = ["cmdline", "environ"]
    while left := [one for one in psutil.process_iter(attributes) if not markers.isdisjoint(_marks(one))]:
        await asyncio.to_thread(psutil.wait_procs, left, 30)


def _marks(process: psutil.Process) -> list[str]:
    """The words of its command line, and the names of its environment."""
    return [*(process.info["cmdline"] or ()), *(process.info["environ"] or ())]
