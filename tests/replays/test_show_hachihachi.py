"""A year of hachihachi, drawn in the terminal: what was declared, shown, made and paid."""

import io
import random

import pytest
from msgspec.structs import replace
from replay_cases import record_of
from rich.cells import cell_len
from rich.console import Console

from arena.replays import vocabulary
from arena.replays.deals import deals_of
from arena.replays.record import ReplayRecord
from arena.replays.show import sentence, show
from core_ext import ALL, State

SEED = "shown/26292"
"""A year with all that a month can hold but a 四三."""


def eager_year(seed: str, dice: random.Random) -> ReplayRecord:
    """Hands are declared and koi is said wherever it can be; the rest is drawn by lot."""
    state = State.new("hachihachi", None, seed)
    choices = bytearray()
    while not state.is_over:
        texts = state.legal_texts()
        liked = [text for text in texts if text == "koi" or text.startswith("declare")]
        choices.append(texts.index(dice.choice(liked or texts)))
        state.apply(state.legal_actions()[choices[-1]])
    record = record_of(state, {}, bytes(choices), "year")
    return replace(record, names=("ann", "bo", "cy"))


@pytest.fixture(scope="module")
def record() -> ReplayRecord:
    return eager_year(SEED, random.Random(26292))


def drawn(record: ReplayRecord, **which: int) -> str:
    out = io.StringIO()
    show(record, Console(file=out, width=100, color_system=None), **which)
    return out.getvalue()


def test_a_year_tells_fields_hands_words_and_payments(record):
    text = drawn(record)
    for told in (
        "the field is 小場 sho, a kan is 12",
        "the field is 大場 dai, a kan is 24",
        "the field is 絶場 zetsu, a kan is 48",
        "is given four of a month",
        "declares 赤 aka with",
        "makes 飛込み tobikomi with",
        "says koi with",
        "lets its koi stand",
        "takes its koi back",
        "吹き消し fukikeshi",
        "抜け nuke",
        "取り札 card points",
        "番個板 pot",
    ):
        assert told in text, told
    assert max(map(cell_len, text.splitlines())) <= 100


def test_the_payments_that_are_drawn_add_up_to_each_months_score(record):
    for deal in deals_of(record):
        assert tuple(map(sum, zip(*(event.values for event in deal.payments), strict=True))) == deal.end.values
        text = " ".join(drawn(record, month=deal.month).split())
        ann, bo, cy = deal.end.values
        assert f"score ann {ann:+d}, bo {bo:+d}, cy {cy:+d}" in text


def test_what_a_kan_is_worth_stands_beside_the_payments_of_its_month(record):
    worth = {
        "小場 sho": "a kan is 12",
        "大場 dai": "payments × 2: a kan is 24",
        "絶場 zetsu": "payments × 4: a kan is 48",
    }
    fields = set()
    for deal in deals_of(record):
        if deal.end.name == "declare" or not any(deal.end.values):
            continue
        ending = vocabulary.ENDINGS[deal.end.name].format(who="").strip()
        course, payments = drawn(record, month=deal.month).split(ending)
        [field] = [name for name in worth if f"the field is {name}" in course]
        assert worth[field] in payments
        fields.add(field)
    assert fields == set(worth)


def test_a_seat_that_pays_alone_is_told_with_the_reason():
    for koi_stood, number in ((False, 0), (True, 19)):
        text = " ".join(drawn(eager_year(f"alone/{number}", random.Random(number))).split())
        told = vocabulary.PAID_ALONE[koi_stood]
        assert any(told.format(who=name) in text for name in ("ann", "bo", "cy"))


def test_the_year_is_settled_in_words(record):
    assert "whole kan; of the top seat what makes the sum zero" in " ".join(drawn(record).split())


def test_menu_f_tells_what_it_adds_to_each_yaku():
    added = set()
    for number in range(20):
        state = State.new("hachihachi", {"menu": "F"}, number)
        (field,) = [event for event in state.events(ALL) if event.kind == "field"]
        told = sentence(field, {}).plain
        assert field.values[0] == 12
        assert ("each yaku" in told) == (field.values[1] > 0)
        added.add(field.values[1])
    assert added == {0, 1, 2}
