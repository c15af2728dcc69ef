"""Run it with `python -m pytest`, or by itself: `python test_bot.py`."""

from bot import MyBot

from arena.sdk.testing import example_decision


def test_a_light_is_taken_rather_than_chaff() -> None:
    decision = example_decision(legal="2x 3x*3L 5x*5y", hand="2x 3x 5x", field="3L 5y")
    assert MyBot().choose(decision).text == "3x*3L"


def test_points_in_the_hand_are_kept() -> None:
    decision = example_decision(legal="stop koi", hand="2x", pile="1R 2R 3R", phase="settle")
    assert MyBot().choose(decision).text == "stop"


if __name__ == "__main__":
    test_a_light_is_taken_rather_than_chaff()
    test_points_in_the_hand_are_kept()
