"""What greedy does where hands are collected, on real positions and against random play."""

import pytest

from arena.match.model import MatchSpec
from arena.match.question import Question
from arena.sdk import Bot
from arena.seats.in_process import LocalDecision, match_of
from arena.simulate import simulate
from bots import house
from bots.greedy import GreedyBot
from bots.greedy_rummy import Hand, prospects
from bots.search import SearchBot
from core_ext import State
from core_ext.cards import CARD_NAMES


def choice(bot: Bot, hand: str, stock: str, actions: str = "", seats: int = 3) -> str:
    """What the bot does in seat 0, which has this hand, after these actions from a dealer in the last seat.

    The others pass on what they could win.
    """
    fixed = [*hand.split(), *stock.split()]
    rest = [card for card in CARD_NAMES if card not in fixed]
    others = 7 * (seats - 1)
    deck = " ".join([*hand.split(), *rest[:others], *stock.split(), *rest[others:]])
    state = State.from_deck("sangohana", None, deck, dealer=seats - 1, seats=seats)
    for text in actions.split():
        state.apply(state.parse_action(text))
        while state.current_player > 0 and "pass" in state.legal_texts():
            state.apply(state.parse_action("pass"))
    assert state.current_player == 0
    spec = MatchSpec("m", "sangohana", b"", tuple("abcd"[:seats]))
    question = Question(spec, 0, 1, tuple(state.legal_actions()), 7, 0, 0, 0, state.event_count, state)
    decision = LocalDecision(question, match_of(spec, 0))
    return state.action_text(decision.code_of(bot.choose(decision)))


@pytest.mark.parametrize("bot", [GreedyBot(), SearchBot(120)], ids=["greedy", "search"])
def test_a_complete_hand_wins(bot: Bot) -> None:
    hand = "1R 2R 3R 2A 4A 5A 6A"
    assert choice(bot, hand, "9x 7A", "draw discard:9x draw") == "win"
    assert choice(bot, hand, "7A", "draw discard:7A") == "win"


def test_a_discard_that_brings_the_hand_nearer_is_taken() -> None:
    assert choice(GreedyBot(), "1L 3L 8L 2A 4A 5A 1x", "6A", "draw discard:6A") == "take"


def test_a_discard_that_does_not_is_left_lying() -> None:
    assert choice(GreedyBot(), "1L 3L 8L 2A 4A 5A 6A", "9x", "draw discard:9x") == "draw"


def test_the_card_that_fits_no_hand_is_discarded() -> None:
    hand = "1L 3L 8L 2A 4A 5A 6A"
    assert choice(GreedyBot(), hand, "9x 10x", "draw discard:9x draw") == "discard:10x"


def test_chaff_with_a_partner_is_kept_before_chaff_without() -> None:
    hand = "2A 4A 5A 6A 1x 1y 2x"
    assert choice(GreedyBot(), hand, "9R 3x", "draw discard:9R draw") in ("discard:2x", "discard:3x")


def test_a_hand_whose_cards_are_gone_promises_nothing() -> None:
    five_lights = (Hand(20, five=0, need=5, three=1, is_chaff=False),)
    assert prospects(five_lights, (4, 3), False, (1, 5), 9.0) > 0
    assert prospects(five_lights, (4, 3), False, (0, 5), 9.0) == 0
    assert prospects(five_lights, (3, 3), False, (2, 5), 9.0) < prospects(five_lights, (4, 3), False, (1, 5), 9.0)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_greedy_beats_random_at_every_number_of_seats(seats: int) -> None:
    """With few boards; docs/bots.md has the figures with their error bars."""
    for place in range(seats):
        bots = [house("random") for _ in range(seats)]
        bots[place] = GreedyBot()
        assert simulate("sangohana", 4, "rotation", bots).margins[place] > 0


def test_search_beats_random_in_every_seat() -> None:
    for place in range(3):
        bots = [house("random") for _ in range(3)]
        bots[place] = SearchBot(120)
        assert simulate("sangohana", 2, "rotation", bots).margins[place] > 0
