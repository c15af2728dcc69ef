"""The rules of the arena's card games: pure, deterministic, without I/O."""

from core_ext.events import EVENT_KINDS
from core_ext.info import OptionInfo, VariantInfo, Yaku
from core_ext.observation import ALL, SPECTATOR, Counter, Event, Observation, Zone
from core_ext.options import Options
from core_ext.shuffle import parse_seed
from core_ext.state import State
from core_ext.table import PHASES
from core_ext.variants.registry import VARIANTS, variant_info, yaku_under

__all__ = [
    "ALL",
    "EVENT_KINDS",
    "PHASES",
    "SPECTATOR",
    "VARIANTS",
    "Counter",
    "Event",
    "Observation",
    "OptionInfo",
    "Options",
    "State",
    "VariantInfo",
    "Yaku",
    "Zone",
    "parse_seed",
    "variant_info",
    "yaku_under",
]
