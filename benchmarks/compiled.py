"""What a step of a decision costs compiled, and by the library that could take it.

`python -m benchmarks.compiled` prints microseconds a call, the least of many rounds in turn, and the difference.
"""

from collections.abc import Callable
from timeit import timeit
from typing import NamedTuple

from arena import wire
from hanafuda.arena.v1 import play_pb2

_ROUNDS = 60
_CALLS = 1_000


class Step(NamedTuple):
    """A step of a decision, as the arena takes it and by a library."""

    name: str
    compiled: Callable[[], object]
    library: Callable[[], object]


def steps() -> tuple[Step, ...]:
    """Return the steps that a library could take."""
    move = play_pb2.Move(match_id="m0123456789abcdef", decision=12, code=77)
    data = play_pb2.PlayRequest(move=move).SerializeToString()
    return (Step("wire.decode", lambda: wire.decode_move(data), lambda: play_pb2.PlayRequest.FromString(data).move),)


def main() -> None:
    """Print a line for each step."""
    for step in steps():
        rounds = [(timeit(step.compiled, number=_CALLS), timeit(step.library, number=_CALLS)) for _ in range(_ROUNDS)]
        compiled, library = (1e6 * min(seconds) / _CALLS for seconds in zip(*rounds, strict=True))
        print(f"{step.name} {compiled:.2f} {library:.2f} {library - compiled:+.2f}")


if __name__ == "__main__":
    main()
