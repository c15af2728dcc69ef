"""The pairing methods by the names that a league file gives them."""

from collections.abc import Mapping

from arena.league.errors import PairingError
from arena.league.methods.knock_out import KnockOut
from arena.league.methods.ladder import Ladder
from arena.league.methods.method import Method
from arena.league.methods.pods import Pods
from arena.league.methods.round_robin import RoundRobin
from arena.league.methods.swiss import Swiss
from arena.league.spec import LADDER, Division

PAIRINGS: Mapping[str, Method] = {
    "swiss": Swiss(),
    "pods": Pods(),
    "round-robin": RoundRobin(),
    "knock-out": KnockOut(),
}
"""The methods that a league file may name."""
_METHODS: Mapping[str, Method] = {**PAIRINGS, LADDER: Ladder()}


def method_of(division: Division) -> Method:
    """The method of a division; PairingError when there is none such, or it cannot pair the division."""
    method = _METHODS.get(division.pairing_method)
    if method is None:
        raise PairingError(f"unknown pairing {division.pairing_method!r}")
    fault = method.fault(division)
    if fault is not None:
        raise PairingError(f"{fault[0]}: {fault[1]}")
    return method
