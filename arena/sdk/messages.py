"""Messages between a bot and the arena that are the same however they travel."""

import os
import sys
import traceback

from arena.sdk.bot import Bot
from arena.sdk.decision import Decision, Match
from arena.sdk.errors import BotFailedError
from hanafuda.arena.v1 import play_pb2

PROTOCOL_VERSION = 1
SOFTWARE = "hanafuda-sdk-python/0.1"
_FAILURE_TEXT = 200
_PLACE_TEXT = 110
_SDK = os.path.dirname(__file__)


def hello(bot: Bot, name: str = "", resume_token: str = "") -> play_pb2.PlayRequest:
    """The first message of a bot."""
    return play_pb2.PlayRequest(
        hello=play_pb2.Hello(
            protocol_version=PROTOCOL_VERSION,
            bot=name,
            variants=bot.variants,
            max_matches=bot.max_matches,
            resume_token=resume_token,
            updates=bot.updates,
            software=SOFTWARE,
        )
    )


def started(start: play_pb2.MatchStart) -> Match:
    """The match that begins."""
    return Match(start.match_id, start.variant, start.seat, tuple(start.bots), dict(start.options))


def move(decision: Decision, code: int) -> play_pb2.PlayRequest:
    """Answers a decision."""
    return play_pb2.PlayRequest(move=play_pb2.Move(match_id=decision.match.id, decision=decision.number, code=code))


def decline(match_id: str) -> play_pb2.PlayRequest:
    """Declines a challenge."""
    return play_pb2.PlayRequest(decline=play_pb2.Decline(match_id=match_id))


def rejection(rejected: play_pb2.MoveRejected) -> str:
    """That a move, or another message, was not taken, in words."""
    reason = play_pb2.RejectionReason.Name(rejected.reason).removeprefix("REJECTION_REASON_")
    what = f"move {rejected.code} for decision {rejected.decision}" if rejected.decision else "a message"
    of = f" of match {rejected.match_id}" if rejected.match_id else ""
    return f"{what}{of} was not taken: {reason}{': ' if rejected.text else ''}{rejected.text}"


def failure(decision: Decision, error: BaseException) -> BotFailedError:
    """What a bot raised at a decision, with the decision and the traceback."""
    shown = "".join(traceback.format_exception(error)).rstrip()
    return BotFailedError(f"the bot failed at this decision:\n{decision}\n{shown}")


def failure_request(decision: Decision, error: BaseException, note: str = "") -> play_pb2.PlayRequest:
    """Gives the match up, and says what the bot raised and where."""
    place = f" ({'; '.join(filter(None, (note, _place(decision, error))))})"
    text = f"{type(error).__name__}: {error}"[: _FAILURE_TEXT - len(place)] + place
    return play_pb2.PlayRequest(failure=play_pb2.Failure(match_id=decision.match.id, text=text))


def _place(decision: Decision, error: BaseException) -> str:
    """Where a bot failed: the decision, and the last line of its own code that was being run."""
    asked = f"decision {decision.number}"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if os.path.dirname(frame.filename) != _SDK]
    program = getattr(sys.modules.get("__main__"), "__file__", None)
    folder = os.path.dirname(os.path.abspath(program)) if program else ""
    shown = [frame for frame in frames if folder and os.path.abspath(frame.filename).startswith(folder)] or frames
    if not shown:
        return asked
    last = shown[-1]
    return f"{asked}, {os.path.basename(last.filename)} line {last.lineno} in {last.name}: {last.line}"[:_PLACE_TEXT]
