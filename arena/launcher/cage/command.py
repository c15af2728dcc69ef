"""The command line of bubblewrap."""

from collections.abc import Sequence

from arena.launcher.cage.limits import CageLimits
from arena.launcher.cage.program import BOT, FOLDER, FUEL, STDIO, Bind, Program
from arena.launcher.cage.spawn import Handed

_USER = 1000
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
    str(_USER),
    "--gid",
    str(_USER),
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


def bubblewrap(
    binary: str, program: Program, binds: Sequence[Bind], limits: CageLimits, handed: Handed, marker: str
) -> list[str]:
    """The command line that runs a program in a cage, with `binds` at their places; `marker` is somewhere in it."""
    return [
        binary,
        *_WALLS,
        *(part for bind in binds for part in ("--ro-bind", str(bind.source), bind.at)),
        *(part for link, target in program.runtime.links for part in ("--symlink", target, link)),
        *(part for device in _DEVICES for part in ("--dev-bind", device, device)),
        *("--proc", "/proc"),
        *("--size", str(limits.folder_bytes), "--perms", "0700", "--tmpfs", FOLDER),
        *("--remount-ro", "/"),
        *("--chdir", BOT),
        # The program's own environment has it too: bubblewrap's command line is gone when it runs the program.
        *("--setenv", marker, ""),
        *(part for pair in _environment(program, limits).items() for part in ("--setenv", *pair)),
        *("--seccomp", str(handed.filter_fd), "--info-fd", str(handed.info_fd), "--block-fd", str(handed.go_fd)),
        "--",
        *program.command,
    ]


def _environment(program: Program, limits: CageLimits) -> dict[str, str]:
    return {
        "HOME": FOLDER,
        "TMPDIR": FOLDER,
        "LANG": "C.UTF-8",
        "PATH": "/usr/bin:/bin",
        STDIO: "1",
        FUEL: str(limits.fuel),
        **dict(program.runtime.environment),
    }
