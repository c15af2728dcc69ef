"""House options: a caller's choices, checked against what a variant offers."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import lru_cache

from core_ext.errors import OptionError
from core_ext.info import OptionInfo, OptionValue, VariantInfo

SET = "set"
"""The option that stands for all options of a named set; options beside it override the set's."""


class Options(Mapping[str, OptionValue]):
    """Every option of a match by its flat name, defaults written out; hashable, picklable, equal to a dict of the same.

    Made by ``resolve`` alone, which checks the values.
    """

    __slots__ = ("_hash", "_values", "variant")

    def __init__(self, variant: str, values: Mapping[str, OptionValue]) -> None:
        self.variant = variant
        self._values = dict(values)
        self._hash = hash((variant, *self._values.items()))

    def __getitem__(self, name: str) -> OptionValue:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Options):
            return self is other or (self.variant == other.variant and self._values == other._values)
        return self._values == other

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[type["Options"], tuple[str, dict[str, OptionValue]]]:
        return Options, (self.variant, self._values)

    def __repr__(self) -> str:
        return f"Options({self.variant!r}, {self._values!r})"


def resolve(info: VariantInfo, values: Mapping[str, object] | None) -> Options:
    """The options of a match: what is given, and the default of everything else.

    OptionError names an unknown option or a value that is not allowed; its name is empty when these are no options.
    """
    if values is None:
        return _defaults(info)
    if not isinstance(values, Mapping):
        raise OptionError("", f"options are values by name, not {values!r}")
    if isinstance(values, Options) and values.variant == info.id:
        return values
    if not values:
        return _defaults(info)
    values = expanded(info, values)
    by_name = {option.name: option for option in info.options}
    for name in values:
        if name not in by_name:
            raise OptionError(str(name), f"{info.id} has no option {name!r}; {_hint(str(name), by_name)}")
    return Options(
        info.id, {name: _checked(option, values.get(name, option.default)) for name, option in by_name.items()}
    )


def expanded(info: VariantInfo, values: Mapping[str, object]) -> Mapping[str, object]:
    """The options with those of a named set in its place. OptionError when the variant has no set of this name."""
    if SET not in values or not info.option_sets:
        return values
    for options in info.option_sets:
        if options.name == values[SET]:
            return {**dict(options.values), **{name: value for name, value in values.items() if name != SET}}
    names = " or ".join(options.name for options in info.option_sets)
    raise OptionError(SET, f"option {SET}: {info.id} has no set {values[SET]!r}; it takes {names}")


@lru_cache
def _defaults(info: VariantInfo) -> Options:
    return Options(info.id, {option.name: option.default for option in info.options})


def _checked(option: OptionInfo, value: object) -> OptionValue:
    if value is None and option.nullable:
        return None
    match option.type:
        case "bool":
            if isinstance(value, bool):
                return value
        case "int":
            if _is_in_range(option, value):
                return value  # type: ignore[return-value]
        case "choice":
            if isinstance(value, str | int) and not isinstance(value, bool) and value in option.choices:
                return value
        case "ints":
            if (
                isinstance(value, list | tuple)
                and [_is_in_range(option, number) for number in value] == [True] * option.length
            ):
                return tuple(value)
    raise OptionError(option.name, f"option {option.name}: {value!r} is not allowed; it takes {allowed(option)}")


def _hint(name: str, options: Mapping[str, OptionInfo]) -> str:
    if not options:
        return "it has none"
    close = get_close_matches(name, options, n=1)
    return f"did you mean {close[0]!r}?" if close else f"its options are {', '.join(options)}"


def _is_in_range(option: OptionInfo, value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and option.low <= value <= option.high


def allowed(option: OptionInfo) -> str:
    """What an option takes, in words: ``1 to 120``, ``true or false``, ``redeal or dealer_takes``."""
    words = {
        "bool": "true or false",
        "int": f"{option.low} to {option.high}",
        "choice": " or ".join(map(str, option.choices)),
        "ints": f"{option.length} numbers from {option.low} to {option.high}",
    }[option.type]
    return f"{words}, or null" if option.nullable else words
