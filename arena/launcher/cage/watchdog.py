"""Ends what a process that was killed left of its cages: bubblewrap is not bound to it at once."""

import os
import secrets
import subprocess

_SCRIPT = """\
read -r _
for _ in 1 2 3 4 5; do
    while found=$(grep -las "$PATTERN" /proc/[0-9]*/cmdline /proc/[0-9]*/environ); [ -n "$found" ]; do
        for file in $found; do file=${file#/proc/}; kill -9 "${file%/*}"; done
    done
    sleep 0.2
done
"""
"""Waits until its input is closed, which the kernel does when the process that started it ends, however that ends. A
process that was just forked shows its parent's command line: so it looks again."""


class Watchdog:
    """Ends what has `marker` in its command line or environment, once this process has ended or has called `close`."""

    def __init__(self) -> None:
        name = secrets.token_hex(8)
        self.marker = f"hanafuda-arena-cage-{name}"
        # The first letter in brackets, so that the pattern does not find the program that looks for it.
        environment = {"PATH": os.environ.get("PATH", os.defpath), "PATTERN": f"[h]{self.marker[1:]}"}
        self._process = subprocess.Popen(  # noqa: S603
            ["/bin/sh", "-c", _SCRIPT],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
        )

    def close(self) -> None:
        """Stop watching, as nothing is left to end."""
        if self._process.returncode is None:
            self._process.kill()
            self._process.communicate()
