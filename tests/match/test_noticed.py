"""What those who watch a match can notice of questions and passes that are secret: nothing, in any variant."""

import random
from collections.abc import Iterable

import msgspec
import pytest

from arena import wire
from arena.match.journal import Played
from arena.match.live import LiveMatch
from arena.match.model import MatchSpec
from arena.match.noticed import Noticed
from arena.match.recess import Recess
from arena.match.secrecy import SecrecySlots
from arena.replays import under_way
from arena.web.site.boards import board_document
from arena.web.viewer.document import document
from core_ext import SPECTATOR, VARIANTS, State, parse_seed, variant_info

SEEDS = {"koikoi": 90, "koikoi45": 12, "kyogi": 30, "hachihachi": 3, "sangohana": 6}
"""How many matches it takes until there are secret questions."""


def spec_of(variant: str, seed: object, **options: object) -> MatchSpec:
    names = ("ann", "bo", "cy", "di")[: variant_info(variant).seats[2]]
    return MatchSpec("m", variant, parse_seed(str(seed)), names, options)


def seen(live: LiveMatch) -> bytes:
    """Every byte that a page shows of the match."""
    shown = document(under_way(live.spec, live.shown), SPECTATOR)
    return msgspec.json.encode([live.version, board_document(live), shown])


def passing_choices(spec: MatchSpec, most: int) -> tuple[bytes, list[int]]:
    """A match of chance in which all secret questions are passed, and after how many actions each is open."""
    state, rng = State.new(spec.variant, spec.options, spec.seed, len(spec.names)), random.Random(1)
    slots, choices, secret = SecrecySlots(state, 0, Recess()), bytearray(), []
    while not state.is_over and len(choices) < most:
        texts = state.legal_texts()
        if slots.secret():
            secret.append(len(choices))
            choices.append(texts.index("pass"))
        else:
            choices.append(rng.randrange(len(texts)))
        state.apply_choices(bytes(choices[-1:]))
    return bytes(choices), secret


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_secret_pass_changes_no_byte_that_spectators_are_shown_and_wakes_nobody(variant: str) -> None:
    passes = 0
    for seed in range(SEEDS[variant]):
        spec = spec_of(variant, seed)
        choices, secret = passing_choices(spec, 300)
        live = LiveMatch(spec, None, (), whole=False)
        for number, choice in enumerate(choices):
            asked_in_secret = number in secret
            before = seen(live) if asked_in_secret else b""
            live.write(Played(0, choice, 0, None, 0))
            state = State.new(variant, {}, spec.seed, len(spec.names))
            if asked_in_secret:
                passes += 1
                state.apply_choices(choices[:number])
                events = state.event_count
                state.apply_choices(choices[number : number + 1])
                if not state.events(SPECTATOR, events):
                    assert seen(live) == before
            if passes > 5:
                return
    assert passes, "nobody was asked in secret, so this test shows nothing"


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_secret_pass_changes_no_byte_that_another_seat_is_sent(variant: str) -> None:
    passes = 0
    for seed in range(SEEDS[variant]):
        spec = spec_of(variant, seed)
        choices, secret = passing_choices(spec, 300)
        state = State.new(spec.variant, spec.options, spec.seed, len(spec.names))
        for number, choice in enumerate(choices):
            others = [seat for seat in range(state.seats) if seat != state.current_player]
            before = [sent(state, seat) for seat in others]
            events = state.event_count
            state.apply_choices(bytes([choice]))
            if number in secret:
                passes += 1
                for seat, message in zip(others, before, strict=True):
                    if not state.events(seat, events) and state.current_player != seat:
                        assert sent(state, seat) == message
                    shown = [event.kind for event in state.events(seat, events)]
                    assert "pass" not in shown, "the pass is the seat's own"
        if passes > 5:
            return
    assert passes, "nobody was asked in secret, so this test shows nothing"


def sent(state: State, seat: int) -> bytes:
    """Every byte that a seat could be sent of where the match stands, and of what happened."""
    events = wire.match_update("m", state.events(seat)).SerializeToString(deterministic=True)
    return events + repr(state.observation(seat)).encode()


def test_of_a_discard_that_ends_a_month_nothing_is_shown_before_all_have_passed_the_claim() -> None:
    for seed in range(60):
        spec = spec_of("sangohana", seed)
        choices, secret = passing_choices(spec, 2_000)
        state = State.new(spec.variant, {}, spec.seed, len(spec.names))
        for number, choice in enumerate(choices):
            months = state.month
            state.apply_choices(bytes([choice]))
            if number in secret and state.month > months:
                live = LiveMatch(spec, None, [Played(0, one, 0, None, 0) for one in choices[: number - 1]], whole=False)
                before = seen(live)
                live.write(Played(0, choices[number - 1], 0, None, 0))
                assert seen(live) == before, "the discard is shown with what follows it"
                live.write(Played(0, choice, 0, None, 0))
                assert live.version == msgspec.json.decode(before)[0] + 1
                return
    raise AssertionError("no month ran out with a claim open")


@pytest.mark.parametrize("for_opponent", [False, True])
def test_a_match_with_a_secret_pass_shows_the_bytes_of_the_match_without_it(for_opponent: bool) -> None:
    """The same cards, with the four of a month that may be declared (teshi) and without."""
    compared = 0
    for seed in range(400):
        with_teshi = spec_of("koikoi", seed, months=2)
        choices, secret = passing_choices(with_teshi, 60)
        if not secret:
            continue
        state = State.new("koikoi", with_teshi.options, with_teshi.seed)
        state.apply_choices(choices[: secret[0]])
        viewer = 1 - state.current_player if for_opponent else SPECTATOR
        without = [choice for number, choice in enumerate(choices) if number not in secret[:1]]
        if len(secret) == 1:
            looks = [
                looks_of(with_teshi, choices, viewer),
                looks_of(spec_of("koikoi", seed, months=2, teshi=False), without, viewer),
            ]
            assert looks[0] == looks[1]
            compared += 1
        if compared == 3:
            return
    raise AssertionError("too few matches with a secret pass")


def looks_of(spec: MatchSpec, choices: Iterable[int], viewer: int) -> list[bytes]:
    """What a viewer is shown from the beginning on, each time that it is another."""
    noticed, played, looks = Noticed(spec, viewer), bytearray(), []
    for choice in (None, *choices):
        if choice is not None:
            played.append(choice)
        noticed.advance(bytes(played))
        if not noticed.version:
            continue  # the game has not begun for the viewer
        shown = document(under_way(spec, bytes(played[: noticed.actions])), viewer)
        for part in (shown, *shown["steps"]):
            del part["progress"]  # it follows from the yaku, as these from the options
        del shown["yaku"]
        look = msgspec.json.encode([noticed.version, shown])
        if look not in looks[-1:]:
            looks.append(look)
    return looks
