"""Where a bot went wrong: every decision of a match judged by what its seat knew, never by hidden cards."""

from collections.abc import Iterator, Mapping
from enum import StrEnum

from msgspec import Struct

from arena.analysis.luck import SeatLuck, luck_of
from arena.analysis.values import PLAYOUTS
from arena.analysis.weights import shipped
from arena.replays import ReplayRecord
from arena.replays.verify import positions
from arena.strength.expert import ActionValue, Search
from core_ext import Observation


class Verdict(StrEnum):
    """How bad a choice was."""

    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


_LOSSES = ((Verdict.BLUNDER, 0.3), (Verdict.MISTAKE, 0.125), (Verdict.INACCURACY, 0.05))
"""What a choice has lost at least, in units of the variant's network: the size of a usual deal's margin."""
_DICE, _MASK = 0x9E3779B97F4A7C15, (1 << 62) - 1
_ERRORS = 2.0
"""So many standard errors a loss has to be from 0 before anything is said against a choice."""


class Judgement(Struct, frozen=True):
    """A decision that left a choice. `loss` is what the choice is behind the best action, in the unit of balances.

    The best action is found by one half of the playouts and compared with the choice by the other half, so that a loss
    is not overstated; by chance it can be below 0. `chance_loss` is the same in chances to win the match.
    """

    number: int
    seat: int
    month: int
    phase: str
    action: str
    best: str
    loss: float
    loss_error: float
    chance_loss: float
    chance_loss_error: float
    verdict: Verdict
    values: Mapping[str, ActionValue]
    """By the text of each legal action."""


class Analysis(Struct, frozen=True):
    """What an analysis found. `curve` has by decision the asked seat, its chance to win the match and the margin that
    it may expect of the deal, with the best action. `luck` is by seat; None where the match was not analysed for it."""

    match: str
    variant: str
    bots: tuple[str, ...]
    results: tuple[int, ...]
    value: Mapping[str, object]
    playouts: int
    judgements: tuple[Judgement, ...]
    curve: tuple[tuple[int, int, float, float], ...]
    luck: tuple[SeatLuck, ...]

    def worst(self, number: int) -> list[Judgement]:
        """The choices that lost most, the worst first, of those with something against them."""
        marked = [judgement for judgement in self.judgements if judgement.verdict is not Verdict.GOOD]
        return sorted(marked, key=lambda judgement: -judgement.loss)[:number]

    def lost(self, seat: int) -> float:
        """What the seat's choices lost in all."""
        return sum(judgement.loss for judgement in self.judgements if judgement.seat == seat)


def analyse(
    record: ReplayRecord, playouts: int = PLAYOUTS, seats: frozenset[int] | None = None, threads: int = 1
) -> Analysis:
    """Judge every decision of these seats, of all if none are named. The numbers follow from the replay alone.

    Raises ReplayError, and CoreError where no match has these choices.
    """
    judgements = tuple(judge(record, playouts, seats=seats, threads=threads))
    return Analysis(
        record.match_id,
        record.variant,
        record.names,
        record.results,
        {"variant": record.variant, "sha256": shipped(record.variant).sha256},
        playouts,
        judgements,
        tuple((judgement.number, judgement.seat, *_expected(judgement)) for judgement in judgements),
        luck_of(record),
    )


def judge(
    record: ReplayRecord,
    playouts: int = PLAYOUTS,
    *,
    seats: frozenset[int] | None = None,
    numbers: frozenset[int] | None = None,
    threads: int = 1,
) -> Iterator[Judgement]:
    """Judge the decisions that left a choice, of these seats and with these numbers where any are named.

    Another number of playouts has other dice: what it finds does not depend on what was found before.
    Raises what `analyse` raises.
    """
    begins = (int(record.running_hash[:16], 16) + playouts * _DICE) & _MASK
    for number, (state, choice) in enumerate(positions(record), 1):
        seat = state.current_player
        if choice < 0 or len(state.legal_actions()) < 2 or not (seats is None or seat in seats):
            continue
        if numbers is None or number in numbers:
            view, texts = state.observation(seat), tuple(state.legal_texts())
            yield _judged(view, texts, number, choice, begins + number, playouts, threads)


def _judged(
    view: Observation, texts: tuple[str, ...], number: int, choice: int, seed: int, playouts: int, threads: int
) -> Judgement:
    network = shipped(view.variant).network
    finding, valuing = Search(view, network, 2 * seed), Search(view, network, 2 * seed + 1)
    finding.run(playouts // 2, threads)
    valuing.run(playouts - playouts // 2, threads, cut=False)
    best = view.legal.index(finding.choice())
    lead = valuing.leads(view.legal[choice])[best]
    return Judgement(
        number,
        view.seat,
        view.month,
        view.phase,
        texts[choice],
        texts[best],
        lead.margin,
        lead.margin_error,
        lead.chance,
        lead.chance_error,
        _verdict(lead.margin / network.unit, lead.margin_error / network.unit),
        dict(zip(texts, valuing.values(), strict=True)),
    )


def _verdict(loss: float, error: float) -> Verdict:
    if loss < _ERRORS * error:
        return Verdict.GOOD
    return next((verdict for verdict, least in _LOSSES if loss >= least), Verdict.GOOD)


def _expected(judgement: Judgement) -> tuple[float, float]:
    best = judgement.values[judgement.best]
    return best.chance, best.margin
