"""Writes to its runtime and to its own files, for its next match."""

import os
import sys

from attempt import attempt

for path in (
    "/bot/left.py",
    "/usr/lib/left",
    f"{os.path.dirname(os.__file__)}/sitecustomize.py",
    "/usr/lib/arena/sitecustomize.py",
    "/usr/bin/python",
    "/left",
    "/proc/sys/kernel/core_pattern",
    "/proc/sysrq-trigger",
    "/dev/left",
):
    attempt(path, lambda path=path: open(path, "ab").write(b"x"))
for name in ("bus", "fs", "irq", "pressure", "sys"):
    attempt(f"mode of /proc/{name}", lambda name=name: os.chmod(f"/proc/{name}", 0o755))
    attempt(f"folder in /proc/{name}", lambda name=name: os.mkdir(f"/proc/{name}/left"))
attempt("own file", lambda: os.unlink(sys.argv[0]))
attempt("mode", lambda: os.chmod("/bot", 0o777))
attempt("remount", lambda: os.rename("/usr", "/other"))
