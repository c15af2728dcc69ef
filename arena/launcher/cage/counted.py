"""The few calls of a caged program that take numbers of a counter which the whole machine has.

A pipe and a socket have an inode number, which anybody who has one can read, and which the kernel takes from one
counter for all programs. A bot that made as many as it likes would leave that counter where it wants it, for another to
read. So the kernel asks the node about each such call (seccomp's user notifications), and the node lets the first few
go on. Then it hangs up, and so it does when it ends: from then on the kernel by itself answers them with ENOSYS.

Only how many calls there were is decided, so what the program does to a call's arguments meanwhile changes nothing.
"""

import asyncio
import errno
import fcntl
import os
import select
import struct
from contextlib import ExitStack

from arena.launcher.cage.errors import CageStartError
from arena.processes import shortage_cure

_RECEIVE, _SEND = 0xC0502100, 0xC0182101
"""SECCOMP_IOCTL_NOTIF_RECV and SECCOMP_IOCTL_NOTIF_SEND."""
_QUESTION_BYTES = 80
"""Of struct seccomp_notif, which begins with the number of the question."""
_ANSWER = struct.Struct("=QqiI")
_CONTINUE = 1
"""SECCOMP_USER_NOTIF_FLAG_CONTINUE."""


def count(listener: int | None, limit: int, stack: ExitStack) -> None:
    """Let the first `limit` counted calls of a program go on, in the running event loop, until `stack` is closed.

    The kernel asks through the descriptor `listener`, which is closed with it. Raises CageStartError where it did not
    come, as this process may not open more files.
    """
    if listener is None:
        raise CageStartError(f"no descriptor is left for the cage{shortage_cure(OSError(errno.EMFILE, ''))}")
    stack.callback(_CountedCalls(listener, limit).close)


class _CountedCalls:
    def __init__(self, listener: int, limit: int) -> None:
        self._listener = listener
        self._remaining = limit
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(listener, self._on_call)

    def close(self) -> None:
        """Let no more of them go on."""
        if self._listener >= 0:
            self._loop.remove_reader(self._listener)
            os.close(self._listener)
            self._listener = -1

    def _on_call(self) -> None:
        """Answer a call, or find that its program was interrupted, and calls anew, or that there is none any more.

        Each time counts, so that interrupting its calls gains a program nothing, and costs the node little.
        """
        if not self._is_asked():  # its program has ended: older kernels would wait here for ever
            self.close()
            return
        question = bytearray(_QUESTION_BYTES)
        try:
            fcntl.ioctl(self._listener, _RECEIVE, question)
            number = int.from_bytes(question[:8], "little")
            fcntl.ioctl(self._listener, _SEND, bytearray(_ANSWER.pack(number, 0, 0, _CONTINUE)))
        except OSError as error:
            if error.errno != errno.ENOENT:  # a kernel that does not know how to go on
                self._remaining = 1
        self._remaining -= 1
        if not self._remaining:
            self.close()

    def _is_asked(self) -> bool:
        poll = select.poll()
        poll.register(self._listener, select.POLLIN)
        return any(event & select.POLLIN for _, event in poll.poll(0))
