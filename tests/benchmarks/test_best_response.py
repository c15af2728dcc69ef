"""A response to the frozen expert."""

import numpy as np

from arena.strength.network import Network
from arena.strength.weights import header, load, quantised
from benchmarks.best_response import parameters_of, respond
from core_ext import State
from core_ext.encoding import Encoding


def test_the_whole_numbers_of_a_network_are_read_back_as_they_were_rounded() -> None:
    network = load("koikoi")
    weights, equities = parameters_of(network)
    names = Encoding(State.new("koikoi")).names
    assert quantised(weights, equities.astype(np.float64), names, network.actions) == network.weights


def test_a_response_is_learned_from_the_shipped_policy_on() -> None:
    response, deals = respond("kyogi", 0.05, 1)
    assert isinstance(response, Network)
    assert response.variant == header("kyogi").variant
    assert response.weights != load("kyogi").weights
    assert deals > 0
