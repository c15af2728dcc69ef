"""A year of hachihachi, drawn in the terminal: what was declared, shown, made and paid."""

import io
import random

import pytest
from msgspec.structs import replace
from replay_cases import record_of
from rich.cells import cell_len
from rich.console import Console

from arena.replays.record import ReplayRecord
from arena.replays.retell import retell
from arena.replays.show import show
from core_ext import State

SEED = "shown/2846"
"""A year with all that a month can hold but a 四三."""


@pytest.fixture(scope="module")
def record() -> ReplayRecord:
    """Hands are declared and koi is said wherever it can be; the rest is drawn by lot."""
    rng = random.Random(2846)
    state = State.new("hachihachi", None, SEED)
    choices = bytearray()
    while not state.is_over:
        texts = state.legal_texts()
        liked = [text for text in texts if text == "koi" or text.startswith("declare")]
        choices.append(texts.index(rng.choice(liked or texts)))
        state.apply(state.legal_actions()[choices[-1]])
    record = record_of(state, {}, bytes(choices), "year")
    return replace(record, names=("ann", "bo", "cy"))


def drawn(record: ReplayRecord, **which: int) -> str:
    out = io.StringIO()
    show(record, Console(file=out, width=100, color_system=None), **which)
    return out.getvalue()


def test_a_year_tells_fields_hands_words_and_payments(record):
    text = drawn(record)
    for told in (
        "the field is 小場 sho",
        "the field is 大場 dai",
        "the field is 絶場 zetsu",
        "is given four of a month",
        "declares 赤 aka with",
        "makes 飛込み tobikomi with",
        "says koi with",
        "lets its koi stand",
        "takes its koi back",
        "吹き消し fukikeshi",
        "抜け nuke",
        "取り札 card_points",
        "番個板 pot",
    ):
        assert told in text, told
    assert max(map(cell_len, text.splitlines())) <= 100


def test_the_payments_that_are_drawn_add_up_to_each_months_score(record):
    for deal in retell(record):
        assert deal.end is not None
        assert tuple(map(sum, zip(*(event.values for event in deal.payments), strict=True))) == deal.end.values
        text = " ".join(drawn(record, month=deal.month).split())
        ann, bo, cy = deal.end.values
        assert f"score ann {ann:+d}, bo {bo:+d}, cy {cy:+d}" in text
