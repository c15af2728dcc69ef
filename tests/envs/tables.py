"""The tables that the tests of environments play at: every variant with every number of seats."""

from core_ext import variant_info
from core_ext.variants.registry import VARIANTS

TABLES = [
    (variant, seats)
    for variant in VARIANTS
    for seats in range(variant_info(variant).seats[0], variant_info(variant).seats[1] + 1)
]
