"""The command line of bubblewrap.

A cage has no /proc: much of what is there tells of the machine, of the node, or of what others do.
"""

from collections.abc import Iterator, Mapping, Sequence

from arena.launcher.cage.limits import CageLimits
from arena.launcher.cage.program import BOT, FOLDER, FORK_SERVER, FUEL, PYTHON, STDIO, Bind, Program, Runtime
from arena.launcher.cage.spawn import Handed

USER = 1000
"""The user and group that a caged program finds itself to be."""
_DEVICES = ("/dev/null", "/dev/random", "/dev/urandom")
"""No /dev/zero: mapped shared, it is memory that no limit counts. No /dev/shm: it is a folder without a limit."""

_WALLS = (
    "--unshare-user",
    "--unshare-pid",
    "--unshare-net",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup",
    "--uid",
    str(USER),
    "--gid",
    str(USER),
    "--hostname",
    "cage",
    "--cap-drop",
    "ALL",
    "--new-session",
    "--die-with-parent",
    # The program is the namespace's first process: when it ends, everything in it does. An init of bubblewrap's own
    # would be a process of the same user that the filter does not bind.
    "--as-pid-1",
    "--clearenv",
)


PRIVILEGES = {"CAP_SETGID": 6, "CAP_SYS_CHROOT": 18, "CAP_SYS_PTRACE": 19, "CAP_SYS_ADMIN": 21}
"""The capabilities that a fork server needs to enter cages, by their numbers; a fork has lost them when it has."""


def cage(
    binary: str,
    program: Program,
    binds: Sequence[Bind],
    limits: CageLimits,
    handed: Handed,
    marker: str,
    *,
    filtered: bool,
) -> list[str]:
    """The command line that runs a program in a cage, with `binds` at their places; `marker` is somewhere in it.

    Where the program is not to be `filtered` by bubblewrap, it has to see to that itself.
    """
    return [
        *(binary, *_WALLS),
        *_files(program.runtime, binds),
        *(part for device in _DEVICES for part in ("--dev-bind", device, device)),
        *("--size", str(limits.folder_bytes), "--perms", "0700", "--tmpfs", FOLDER),
        *("--remount-ro", "/"),
        *("--chdir", BOT),
        *_set(environment(program.runtime, limits, marker)),
        *(("--seccomp", str(handed.filter_fd)) if filtered else ()),
        *("--info-fd", str(handed.info_fd), "--block-fd", str(handed.block_fd)),
        *("--", *program.command),
    ]


def fork_server(
    binary: str, runtime: Runtime, binds: Sequence[Bind], marker: str, handed: Handed, control: int
) -> list[str]:
    """The command line of a fork server, which sees its runtime and nothing else of the file system.

    `control` is the number of its socket. It has to run as root, and in the node's namespaces of users and processes:
    its forks enter those below.
    """
    return [
        *(binary, "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup"),
        *("--cap-drop", "ALL", *(part for privilege in PRIVILEGES for part in ("--cap-add", privilege))),
        *("--new-session", "--die-with-parent", "--clearenv"),
        *_files(runtime, binds),
        *(part for device in _DEVICES for part in ("--dev-bind", device, device)),
        *("--remount-ro", "/"),
        *_set(environment(runtime, CageLimits(), marker)),
        *("--info-fd", str(handed.info_fd), "--block-fd", str(handed.block_fd)),
        *("--", PYTHON, FORK_SERVER, str(control), *runtime.preloaded),
    ]


def environment(runtime: Runtime, limits: CageLimits, marker: str) -> dict[str, str]:
    """What a program finds in its environment.

    The marker is there because bubblewrap's command line, which has it too, is gone when it runs the program.
    """
    return {
        marker: "",
        "HOME": FOLDER,
        "TMPDIR": FOLDER,
        "LANG": "C.UTF-8",
        "PATH": "/usr/bin:/bin",
        STDIO: "1",
        FUEL: str(limits.fuel),
        **dict(runtime.environment),
    }


def _files(runtime: Runtime, binds: Sequence[Bind]) -> Iterator[str]:
    for bind in binds:
        yield from ("--ro-bind", str(bind.source), bind.target)
    for link, target in runtime.links:
        yield from ("--symlink", target, link)


def _set(environment: Mapping[str, str]) -> Iterator[str]:
    for name, value in environment.items():
        yield from ("--setenv", name, value)
