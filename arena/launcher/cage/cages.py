"""Starts programs in cages."""

import asyncio
import os
import resource
import shutil
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from arena.launcher.cage import seccomp
from arena.launcher.cage.cgroups import Cgroups
from arena.launcher.cage.command import cage, environment
from arena.launcher.cage.errors import CageStartError, NoCageError
from arena.launcher.cage.forking import ForkServers, Walls
from arena.launcher.cage.limits import CageLimits
from arena.launcher.cage.pipes import channel
from arena.launcher.cage.process import CagedProcess
from arena.launcher.cage.program import HAND, LIBRARIES, PAUSE, Bind, Program, Runtime
from arena.launcher.cage.spawn import Handed, set_up, set_up_filtered, spawn
from arena.launcher.cage.staging import Stage, stage_folder
from arena.launcher.cage.users import Users, become
from arena.launcher.cage.watchdog import Watchdog
from arena.launcher.output import MatchOutput
from arena.processes import shortage_cure
from arena.seats.processors import Processors

_FIRST = files("arena.launcher.cage")
"""Where the programs are that stand at the beginning of a cage."""
_CPUS_A_SET_UP = 4
"""For so many processors one cage may be set up at any time."""
_MIN_SET_UP = 2
"""One of them mostly waits for the kernel."""


def spare_processors() -> int:
    """The processors that this process may use less one; at least one."""
    return max(1, len(os.sched_getaffinity(0)) - 1)


class Cages:
    """The cages of one process, to be used from one event loop.

    At most `processors` caged bots think at once, by default `spare_processors()`; those that wait get their turn in
    their order. Raises NoCageError where bubblewrap is missing, or where there is no filter for this machine.
    """

    def __init__(self, limits: CageLimits | None = None, processors: int | None = None) -> None:
        binary = shutil.which("bwrap")
        if binary is None:
            raise NoCageError(
                "bubblewrap is not installed: there is no `bwrap` on the PATH (`apt-get install bubblewrap`, and the "
                "same name elsewhere)"
            )
        self._filters = {
            (alone, lone): seccomp.program(single_threaded=alone, lone=lone)
            for alone in (False, True)
            for lone in (False, True)
        }
        self._counting = seccomp.counting()
        self.limits = limits or CageLimits()
        self.cgroups = Cgroups.detected()
        self.processors = Processors(processors or spare_processors())
        # That bots start must not take much of the processors on which others think.
        self._setting_up = asyncio.Semaphore(max(_MIN_SET_UP, len(os.sched_getaffinity(0)) // _CPUS_A_SET_UP))
        self._binary = binary
        self._users = Users()
        self._stage = Stage(stage_folder())
        self._runtimes: dict[Runtime, list[Bind]] = {}
        self._watchdog = Watchdog()
        self.fork_servers = ForkServers(binary, self._stage, self._watchdog.marker)

    def close(self) -> None:
        """Remove what was made for cages; all of them have to be closed before."""
        self.fork_servers.close()
        self.cgroups.close()
        self._stage.close()
        self._watchdog.close()

    async def start(
        self,
        program: Program,
        limits: CageLimits | None = None,
        log: Path | MatchOutput | None = None,
    ) -> CagedProcess:
        """Set up a program in a cage of its own, with the limits given or by default these cages' own.

        What it writes to its standard error is added to `log`, a file or what keeps it. It runs when its `go` is
        called. Raises CageStartError.
        """
        with ExitStack() as stack:
            try:
                return await self._start(program, limits or self.limits, stack, log)
            except OSError as error:
                raise CageStartError(f"the cage could not be set up: {error}{shortage_cure(error)}") from error

    async def _start(
        self,
        program: Program,
        limits: CageLimits,
        stack: ExitStack,
        log: Path | MatchOutput | None,
    ) -> CagedProcess:
        group = self.cgroups.group(limits, single_threaded=program.single_threaded)
        stack.callback(self.cgroups.release, group)
        user = self._users.take()
        stack.callback(self._users.give_back, user)
        if program.runtime not in self._runtimes:
            # Copies may take seconds, in which the event loop has other things to do.
            self._runtimes[program.runtime] = await asyncio.to_thread(self._staged, program.runtime)
        stage = (self._stage.used if program.frozen else self._stage.lent)(program.bot)
        ready = program.frozen and self._stage.is_ready(program.bot)
        bot = stack.enter_context(stage) if ready else await asyncio.to_thread(stack.enter_context, stage)
        runtime = self._runtimes[program.runtime]
        binds = [*runtime, Bind(bot, program.place)]

        forks = self.fork_servers.may_fork(program)
        # Without such a group each process has its own limit on memory, so that a bot has one process alone.
        lone = "memory" not in self.cgroups.controllers
        rlimits = limits.rlimits(memory=lone)
        first = PAUSE if forks else HAND
        binds.append(Bind(self._stage.permanent(Path(str(_FIRST / Path(first).name))), first))
        theirs = stack.enter_context(ExitStack())
        near, far = (None, None) if forks else channel(stack, theirs)
        # One that is single-threaded is refused to put another file in the place of its standard input.
        apart = () if forks else (1,) if program.single_threaded else (0, 1)

        def command(handed: Handed) -> list[str]:
            arguments: Sequence[str] = ()
            if far is not None:
                counting = len(self._counting) // seccomp.RULE_BYTES
                numbers = handed.stdin, handed.stdout, far.fileno(), handed.filter_fd, counting
                arguments = *map(str, numbers), *program.command
            shut_in = replace(program, command=(first, *arguments))
            walls = cage(self._binary, shut_in, binds, limits, handed, self._watchdog.marker, filtered=forks)
            return walls if user is None else [*become(user, rlimits), *walls]

        output = stack.enter_context(log.open("ab", buffering=0)) if isinstance(log, Path) else log
        filter_program = self._filters[program.single_threaded, lone]
        forked = None
        async with self._setting_up:
            # What waits in the cage for a fork has a filter as well.
            filters = self._filters[False, lone] if forks else self._counting + filter_program
            spawned = await spawn(command, filters, stack, () if far is None else (far.fileno(),), apart)
            theirs.close()
            if user is None:
                # Not before: the number of processes would be that of all which this process's own user has.
                for number, limit in rlimits.items():
                    resource.prlimit(spawned.first, number, (limit, limit))
            if not forks:
                group.add(spawned.first)
            os.write(spawned.unblock, b"\n")
            if forks:
                # The fork alone joins the group: what waits in the cage for its end would be woken by every freeze.
                await set_up(spawned)
                surroundings = environment(program.runtime, limits, self._watchdog.marker)
                walls = Walls(spawned.first, group, rlimits, self._counting, filter_program, limits.counted_calls)
                server = await self.fork_servers.server(program.runtime, runtime)
                forked = await server.fork(program.command[1:], surroundings, walls, stack)
                go = forked.go
        if near is not None:
            await set_up_filtered(spawned, near, limits.counted_calls, stack)
            go = near.fileno()  # only now does it end with the node, and may begin
        return CagedProcess(program, spawned, forked, go, group, limits, stack.pop_all(), output)

    def _staged(self, runtime: Runtime) -> list[Bind]:
        """Return what a runtime is made of, where a cage's user can reach it."""
        binds = []
        for bind in runtime.binds:
            staged = self._stage.permanent(bind.source, bind.without)
            binds.append(Bind(staged, bind.target))
            hidden = (name for name in bind.without if (staged / name).is_dir())
            binds += [Bind(self._stage.empty, f"{bind.target}/{name}") for name in hidden]
        if runtime.libraries:
            binds.append(Bind(self._stage.gathered(runtime.libraries), LIBRARIES))
        return binds
