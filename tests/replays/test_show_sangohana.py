"""A match of drawing and discarding, drawn in the terminal."""

import io
import re
from collections.abc import Iterator

from replay_cases import random_record
from rich.cells import cell_len
from rich.console import Console

from arena.replays.deals import Deal, deals_of
from arena.replays.record import ReplayRecord
from arena.replays.show import sentence, show


def drawn(record: ReplayRecord, **which: int) -> str:
    out = io.StringIO()
    show(record, Console(file=out, width=100, color_system=None), **which)
    return out.getvalue()


def deals() -> Iterator[tuple[ReplayRecord, Deal]]:
    """The deals of random matches with every kind of win and payment, with the record that each is of."""
    for number in (0, 5, 7):
        record = random_record(f"sangohana/{number}", "sangohana")
        yield from ((record, deal) for deal in deals_of(record))


def test_a_turn_is_told_by_what_is_drawn_taken_and_discarded():
    record = random_record("turns", "sangohana")
    text = drawn(record, month=1)
    assert re.search(r"\d+ a-bot-in-seat-\d draws ", text)
    assert "takes the discard" in text
    assert "discards" in text
    assert "field" not in text
    assert max(map(cell_len, text.splitlines())) <= 100


def test_a_seat_is_not_told_what_others_draw():
    record = random_record("turns", "sangohana")
    events = [one.event for deal in deals_of(record, 0) for one in deal.events if one.event.kind == "stock"]
    assert {event.seat for event in events} == {0, 1, 2}
    for event in events:
        assert ("draws a card" in sentence(event, {}).plain) == (event.seat != 0)


def test_a_win_is_explained_by_points_times_and_what_is_added():
    shown = set()
    for record, deal in deals():
        win = next((event.event for event in deal.events if event.event.kind == "win"), None)
        if win is None:
            continue
        points, five, three, added = win.values
        value = points * five * three + added
        text = " ".join(drawn(record, month=deal.month).split())
        assert f"{value} from each of 2 = {2 * value}" in text
        factors = " × ".join(map(str, [points, *(times for times in (five, three) if times != 1)]))
        if added:
            assert f"{factors} + {added}" in text
        shown |= {"times"} if five * three > 1 else set()
        shown |= {"added"} if added else set()
        shown |= {"on a discard"} if "wins on the discard" in text else {"by drawing"}
        if shown == {"times", "added", "on a discard", "by drawing"}:
            return
    raise AssertionError(f"seen were only {shown}")


def test_pots_are_shown_when_they_are_paid_and_when_they_are_won():
    shown = set()
    for record, deal in deals():
        for payment in deal.payments:
            name = "last pot" if payment.name == "last_pot" else "pot"
            text = drawn(record, month=deal.month)
            assert re.search(
                rf"^  {name} +a-bot-in-seat-0 {re.escape(format(payment.values[0], '+d'))}", text, re.MULTILINE
            )
            shown.add((name, payment.seat >= 0))
        if shown == {("pot", False), ("pot", True), ("last pot", False)}:
            return
    raise AssertionError(f"seen were only {shown}")
