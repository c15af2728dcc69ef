"""A bot that misbehaves in the way its argument names, by hand on the stubs. Run as a program of its own."""

import asyncio
import os
import signal
import sys

import grpc

from hanafuda.arena.v1 import play_pb2, play_pb2_grpc

AFTER = 3
"""How many decisions it answers well before it begins."""


async def misbehave(how: str, decision: play_pb2.Decision, stream: object) -> None:
    """What it does instead of answering."""
    good = play_pb2.Move(match_id=decision.match_id, decision=decision.decision, code=decision.legal[0].code)
    write = stream.write  # type: ignore[attr-defined]
    if how == "hangs":
        await asyncio.Event().wait()
    elif how == "dies":
        os.kill(os.getpid(), signal.SIGKILL)
    elif how == "talks_nonsense":
        await write(
            play_pb2.PlayRequest(
                move=play_pb2.Move(match_id=decision.match_id, decision=decision.decision, code=99_999)
            )
        )
    elif how == "answers_late":
        await asyncio.sleep((decision.clock.decision_ms + decision.clock.bank_ms) / 1000 + 0.2)
        await write(play_pb2.PlayRequest(move=good))
    elif how == "answers_twice":
        await write(play_pb2.PlayRequest(move=good))
        await write(play_pb2.PlayRequest(move=good))
    elif how == "floods":
        for _ in range(2_000):
            await write(play_pb2.PlayRequest(move=play_pb2.Move(match_id="nowhere", decision=1)))
    elif how == "disconnects":
        sys.exit(0)
    elif how == "sends_too_much":
        await write(play_pb2.PlayRequest(failure=play_pb2.Failure(match_id=decision.match_id, text="x" * (1 << 20))))
    else:
        raise ValueError(how)


async def main(how: str) -> None:
    """Connect, answer a few decisions, misbehave at every one after."""
    async with grpc.aio.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
        stream = play_pb2_grpc.PlayServiceStub(channel).Play(
            metadata=(("authorization", f"Bearer {os.environ['ARENA_TOKEN']}"),)
        )
        await stream.write(play_pb2.PlayRequest(hello=play_pb2.Hello(protocol_version=1)))
        asked = 0
        while isinstance(response := await stream.read(), play_pb2.PlayResponse):
            if not response.HasField("decision"):
                continue
            asked += 1
            decision = response.decision
            if asked > AFTER:
                await misbehave(how, decision, stream)
            else:
                move = play_pb2.Move(
                    match_id=decision.match_id, decision=decision.decision, code=decision.legal[0].code
                )
                await stream.write(play_pb2.PlayRequest(move=move))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
