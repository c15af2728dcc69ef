"""How much of each playout luck should count: `python -m benchmarks.luck_shares koikoi --boards 50`.

Search with few playouts plays greedy on mirrored boards. The margins are fitted by what a stop at the first chance
would have brought and by what playouts brought in the end: by least squares, or, with `--robust`, by Huber's weights,
for `koikoi45`, where a few months of many doublings would decide all. `SHARES` of `arena.analysis.luck` follows such
fits. Whatever they are the luck stays 0 on the average, as long as they are not chosen by the games they are used on.
"""

import argparse

import numpy as np
from numpy.typing import NDArray

from arena.analysis.luck import CARD_PAIRS, DEAL_PLAYOUTS, SHARES, luck_by_seat, margin_of
from arena.analysis.weights import shipped
from arena.simulate import play_out, specs
from arena.strength.luck import Shares, match_luck
from bots import house
from bots.search import SearchBot
from core_ext import VARIANTS, State, variant_info

PLAYOUTS = 200
HUBER = 1.345
"""Residuals count by their squares up to so many standard deviations."""
STEPS = 100

Floats = NDArray[np.float64]


def played(variant: str, seats: int, boards: int, seed: str) -> tuple[Floats, Floats]:
    """Return the margins of matches, and their luck by what counts alone: in turn the first stop and the end of each of
    the variant's pairs of shares.
    """
    search, greedy = SearchBot(PLAYOUTS), house("greedy")
    margins, lucks = [], []
    for board in range(boards):
        for seat in range(seats):
            bots = [search if place == seat else greedy for place in range(seats)]
            [(spec, _)] = specs(variant, 1, f"{seed}/{board}", tuple(type(bot).__name__ for bot in bots), {})
            state = play_out(spec, bots).state
            margins.append(margin_of(state.returns(), seat))
            lucks.append([_luck(variant, seats, state, spec.seed, seat, shares) for shares in _units(variant)])
    return np.array(margins), np.array(lucks)


def _units(variant: str) -> list[tuple[Shares, ...]]:
    """Shares of which only one is not 0, for each that is fitted."""
    kinds = list(dict.fromkeys(SHARES[variant]))
    sides = [side for side in range(2) if any(shares[side] for shares in kinds)]
    return [
        tuple(Shares(*(float(shares == kind and part == side) for part in range(2))) for shares in SHARES[variant])
        for kind in kinds
        for side in sides
    ]


def _luck(variant: str, seats: int, state: State, seed: bytes, seat: int, shares: tuple[Shares, ...]) -> float:
    begun = State.new(variant, None, seed, seats)
    network, dice = shipped(variant).network, int.from_bytes(seed[:8], "little")
    events = match_luck(begun, state.actions(), network, dice, shares, CARD_PAIRS, DEAL_PLAYOUTS)
    return luck_by_seat(variant, seats, events)[seat]


def fitted(margins: Floats, lucks: Floats, *, robust: bool) -> Floats:
    """Return the shares that leave least of the margins."""
    shares: Floats = np.zeros(lucks.shape[1])
    weights = np.ones(len(margins))
    for _ in range(STEPS if robust else 1):
        root = np.sqrt(weights)
        shares = np.asarray(np.linalg.lstsq(lucks * root[:, None], margins * root, rcond=None)[0], np.float64)
        adjusted = np.abs(margins - lucks @ shares)
        weights = np.minimum(1, HUBER * np.median(adjusted) / 0.6745 / np.maximum(adjusted, 1e-9))
    return shares


def main() -> None:
    """Print the shares, and how many times fewer games tell as much by them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variant", choices=VARIANTS)
    parser.add_argument("--seats", type=int, help="by default as many as the variant has")
    parser.add_argument("--boards", type=int, default=50)
    parser.add_argument("--seed", default="fit")
    parser.add_argument("--robust", action="store_true")
    args = parser.parse_args()
    seats = args.seats or variant_info(args.variant).seats[2]
    margins, lucks = played(args.variant, seats, args.boards, args.seed)
    shares = fitted(margins, lucks, robust=args.robust)
    print(f"{args.variant}, {len(margins)} matches: shares {np.round(shares, 2).tolist()}", flush=True)
    print(f"variance divided by {np.var(margins) / np.var(margins - lucks @ shares):.2f}")


if __name__ == "__main__":
    main()
