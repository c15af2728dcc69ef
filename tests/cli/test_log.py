"""What the arena writes cannot be forged, nor steer a terminal, by what a bot or a caller sent."""

import logging

from arena.cli.aio import LogFormatter
from arena.cli.output import harmless


def test_no_line_of_a_record_but_its_first_can_pass_for_one_of_the_arenas() -> None:
    forged = "it wrote:\n2026-01-01 00:00:00,000 ERROR   arena.node: all is lost\r\nx\u2028y\x1b[2J"
    record = logging.LogRecord("arena", logging.INFO, __file__, 1, "%s: %s", ("crane 12", forged), None)
    lines = LogFormatter("%(levelname)s %(name)s: %(message)s").format(record).splitlines()
    assert lines[0] == "INFO arena: crane 12: it wrote:"
    assert all(line.startswith("    ") for line in lines[1:])
    assert "\x1b" not in "".join(lines)


def test_marks_of_a_texts_direction_reach_no_terminal() -> None:
    for mark in "\u061c\u200e\u200f\u202a\u202e\u2066\u2069\u2028":
        assert harmless(f"a{mark}b\n\tc") == f"a\\u{ord(mark):04x}b\n\tc"
    assert harmless("花札 é\n") == "花札 é\n"
