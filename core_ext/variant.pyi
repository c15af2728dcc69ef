from collections.abc import Mapping

from core_ext.info import OptionValue, VariantInfo
from core_ext.options import Options

class Variant:
    """The rules of one variant with one choice of options; immutable."""

    info: VariantInfo
    options: Options
    seats: int
    def __init__(self, options: Options, seats: int) -> None: ...

def written(info: VariantInfo, options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """The options that stand in hashes and transcripts: all but late ones that have their default."""
