"""A bot that speaks with the arena over its standard input and output, one match at a time.

Each message is preceded by its length as a protobuf varint.
"""

import io
import os
import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, BinaryIO, cast

from arena.sdk.bot import Answer, Bot
from arena.sdk.decision import Decision, Match, event
from arena.sdk.messages import decline, failure, failure_request, hello, move, rejection, started
from arena.sdk.overtime import Overtime
from hanafuda.arena.v1 import play_pb2

if TYPE_CHECKING:
    import asyncio

STDIO = "HANAFUDA_ARENA_STDIO"
"""The variable that the arena sets to 1 for a program that it starts so."""
_NO_NETWORK = "a cage has no network"
_DEEPEST = 20
_INPUT, _OUTPUT, _ERRORS = 0, 1, 2


class StdioClient:
    """Plays a bot until the arena says goodbye or closes the input.

    The bot finds its standard input empty, and what it prints goes to standard error: both ends of the protocol are
    out of its way.
    """

    def __init__(self, bot: Bot, say: Callable[[str], None]) -> None:
        self._bot = bot
        self._say = say
        self._match = Match("")
        self._declined = False
        self._overtime = Overtime(say)
        self._runner: asyncio.Runner | None = None
        """Of a bot that is `async`, made when it is first needed: asyncio takes long to import."""
        self._input = _messages()
        self._output = os.dup(_OUTPUT)
        os.dup2(_ERRORS, _OUTPUT)
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(line_buffering=True)

    def run(self) -> None:
        """Play. Raises BotFailedError, after it was said, when the bot's code failed."""
        self._send(hello(self._bot))
        while (message := read_frame(self._input)) is not None:
            response = play_pb2.PlayResponse.FromString(message)
            if response.HasField("goodbye"):
                return
            self._handle(response)

    def _handle(self, response: play_pb2.PlayResponse) -> None:
        kind = None if self._declined else response.WhichOneof("message")
        if kind == "decision":
            self._decide(Decision(response.decision, self._match))
        elif kind == "match_start":
            self._match = started(response.match_start)
            if response.match_start.declinable and not self._bot.accepts(self._match):
                self._declined = True
                self._send(decline(self._match.id))
            else:
                self._bot.started(self._match)
        elif kind == "match_update":
            self._bot.happened(self._match, tuple(map(event, response.match_update.events)))
        elif kind == "match_end":
            self._bot.ended(self._match, response.match_end)
        elif kind == "move_rejected":
            self._say(rejection(response.move_rejected))

    def _decide(self, decision: Decision) -> None:
        self._overtime.begin(decision)
        try:
            answer = self._bot.choose(decision)
            if hasattr(answer, "__await__"):
                answer = self._wait(cast("Awaitable[Answer]", answer))
            code = decision.code_of(answer)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a bot raises is shown and reported
            failed = failure(decision, error)
            # Said first: an arena that knows of it may freeze or end the bot.
            self._say(str(failed))
            self._send(failure_request(decision, error, _NO_NETWORK if _asked_for_an_address(error) else ""))
            raise failed from None
        finally:
            self._overtime.end()
        self._send(move(decision, code))

    def _wait(self, answer: Awaitable[Answer]) -> Answer:
        import asyncio

        async def wait() -> Answer:
            return await answer

        self._runner = self._runner or asyncio.Runner()
        return self._runner.run(wait())

    def _send(self, request: play_pb2.PlayRequest) -> None:
        remaining = frame(request.SerializeToString())
        while remaining:
            remaining = remaining[os.write(self._output, remaining) :]


def _messages() -> BinaryIO:
    """The arena's messages, in whose place the bot finds an empty standard input.

    A single-threaded bot cannot have another file as descriptor 0, and the arena lets it wait for messages only there.
    It starts no program that would find them.
    """
    null = os.open(os.devnull, os.O_RDONLY)
    messages = os.dup(_INPUT)
    try:
        os.dup2(null, _INPUT)
    except PermissionError:
        os.close(messages)
        sys.stdin = os.fdopen(null)
        return os.fdopen(_INPUT, "rb", closefd=False)
    os.close(null)
    return os.fdopen(messages, "rb")


def frame(message: bytes) -> bytes:
    """A message after its length."""
    length = bytearray()
    remaining = len(message)
    while remaining > 0x7F:
        length.append(remaining & 0x7F | 0x80)
        remaining >>= 7
    length.append(remaining)
    return bytes(length) + message


def read_frame(source: BinaryIO) -> bytes | None:
    """The next message; None at the end of the input."""
    length = shift = 0
    while byte := source.read(1):
        length |= (byte[0] & 0x7F) << shift
        shift += 7
        if byte[0] < 0x80:
            message = source.read(length)
            return message if len(message) == length else None
    return None


def _asked_for_an_address(error: BaseException) -> bool:
    """Whether an error came of looking a host's name up, wrapped by whatever library."""
    seen: list[object] = []
    todo: list[object] = [error]
    while todo and len(seen) < _DEEPEST:
        cause = todo.pop()
        if type(cause).__name__ == "gaierror":
            return True
        if isinstance(cause, BaseException) and cause not in seen:
            seen.append(cause)
            todo += [cause.__cause__, cause.__context__, getattr(cause, "reason", None)]
    return False
