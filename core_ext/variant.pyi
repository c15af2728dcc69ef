from core_ext.info import VariantInfo
from core_ext.options import Options

class Variant:
    """The rules of one variant with one choice of options; immutable."""

    info: VariantInfo
    options: Options
    seats: int
    def __init__(self, options: Options, seats: int) -> None: ...
