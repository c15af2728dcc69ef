"""Whole matches of hachihachi by its reference, and transcripts that somebody changed."""

import copy
import json
import random
from collections.abc import Callable

import pytest
from reference_hachihachi import DEFAULTS, check, play
from reference_hachihachi_money import (
    KAN,
    START,
)
from reference_rigged import Plans
from reference_table import Transcript


@pytest.mark.parametrize("seed", range(30))
def test_a_match_by_chance_conserves_money_and_checks_after_json(seed: int) -> None:
    options = {"menu": "ABCDEF"[seed % 6], "etsunen": seed % 2 == 1}
    policy = Plans({}, defaults="declare declare:karasu koi") if seed % 3 == 0 else None
    match = json.loads(json.dumps(play(options, random.Random(seed), policy=policy)))
    assert match["options"] == DEFAULTS | options
    for entry in match["months"]:
        assert sum(entry["scores"]) == (0 if entry["ended"] in ("declare", "void") else -1)
    assert sum(match["result"]) == 0
    for seat in range(3):
        assert match["totals"][seat] == START + sum(entry["scores"][seat] for entry in match["months"])
    for entry, following in zip(match["months"], match["months"][1:], strict=False):
        assert following["dealer"] == entry["winner"]
    check(match)
    for entry in match["months"]:
        for action in entry["actions"]:
            del action["legal"]
    check(match)


def other_next_dealer(match: Transcript) -> None:
    match["months"][0]["winner"] = (match["months"][0]["winner"] + 1) % 3


def no_point_for_the_pot(match: Transcript) -> None:
    match["months"][0]["scores"][match["months"][0]["winner"]] += 1


def other_half(match: Transcript) -> None:
    entry = next(entry for entry in match["months"] if entry["ended"] == "cancel")
    entry["scores"] = [2 * score for score in entry["scores"]]


def cancel_called_stop(match: Transcript) -> None:
    next(entry for entry in match["months"] if entry["ended"] == "cancel")["ended"] = "stop"


def plain_declare(match: Transcript) -> None:
    for entry in match["months"]:
        for action in entry["actions"]:
            if action["action"].startswith("declare"):
                action["action"] = "declare:toichi"
                del action["legal"]
                return


def cancel_before_pass(match: Transcript) -> None:
    asked = [a for entry in match["months"] for a in entry["actions"] if a["legal"] == ["cancel", "pass"]]
    asked[0]["legal"].reverse()


def asked_another_seat(match: Transcript) -> None:
    match["months"][2]["actions"][-1]["seat"] = (match["months"][2]["actions"][-1]["seat"] + 1) % 3


def other_menu(match: Transcript) -> None:
    match["options"]["menu"] = "B"


def no_such_menu(match: Transcript) -> None:
    match["options"]["menu"] = "G"


def result_in_points(match: Transcript) -> None:
    match["result"] = [KAN * kan for kan in match["result"]]


def two_seats(match: Transcript) -> None:
    match["seats"] = 2


TAMPERED: dict[Callable[[Transcript], None], str] = {
    other_next_dealer: "winner",
    no_point_for_the_pot: "scores",
    other_half: "scores",
    cancel_called_stop: "ended",
    plain_declare: "legal are",
    cancel_before_pass: "in order",
    asked_another_seat: "is asked",
    other_menu: "scores",
    no_such_menu: "menu 'G'",
    result_in_points: "result",
    two_seats: "seats",
}


@pytest.mark.parametrize(("tamper", "message"), TAMPERED.items(), ids=[tamper.__name__ for tamper in TAMPERED])
def test_a_tampered_transcript_is_refused_by_name(tamper: Callable[[Transcript], None], message: str) -> None:
    match = copy.deepcopy(play({}, random.Random(5), policy=Plans({}, defaults="declare declare:karasu koi pass")))
    check(match)
    tamper(match)
    with pytest.raises(AssertionError, match=message):
        check(match)
