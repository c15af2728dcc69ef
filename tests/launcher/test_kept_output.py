"""What is kept of a bot's output: a bounded part, from its beginning and its end, with times."""

import random
import time

from arena.launcher.output import PART_BYTES, MatchOutput


def text(output: MatchOutput) -> bytes:
    return b"".join(part for _, part in output.parts())


def test_short_output_is_kept_whole_with_the_times_at_which_it_was_written() -> None:
    output, before = MatchOutput(), time.time_ns() // 1000
    assert output.write(b"hello\n") == 6
    output.write(b"world\n")
    assert [part for _, part in output.parts()] == [b"hello\n", b"world\n"]
    assert all(before <= at <= time.time_ns() // 1000 for at, _ in output.parts())
    assert output.left_out == 0


def test_of_long_output_the_beginning_and_the_end_are_kept_and_the_rest_is_counted() -> None:
    dice = random.Random(1)
    for sizes in ([1] * 50_000, [100_000], [7_000, 9_000, 30_000], [dice.randrange(3_000) for _ in range(60)]):
        output = MatchOutput()
        written = dice.randbytes(sum(sizes))
        at = 0
        for size in sizes:
            output.write(written[at : at + size])
            at += size
        kept = text(output)
        assert kept == written[:PART_BYTES] + written[-PART_BYTES:]
        assert output.left_out == len(written) - 2 * PART_BYTES
        assert len(output.parts()) < 200
