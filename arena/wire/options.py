"""House options as a map of name to JSON text, only those that differ from the variant's defaults."""

from collections.abc import Mapping
from functools import cache

import msgspec

from arena.wire.errors import WireError
from core_ext import variant_info
from core_ext.options import expanded


def options_to_wire(variant: str, options: Mapping[str, object]) -> dict[str, str]:
    """Return what differs from the variant's defaults, values as JSON text; a named set as the options in it.

    Raises UnknownVariantError, and OptionError for a set that the variant does not have.
    """
    defaults = _defaults(variant)
    return {
        name: msgspec.json.encode(value).decode()
        for name, value in expanded(variant_info(variant), options).items()
        if name not in defaults or value != defaults[name]
    }


def options_from_wire(options: Mapping[str, str]) -> dict[str, object]:
    """The values behind the JSON texts, by name; which are allowed the core says. WireError names one that is none."""
    values: dict[str, object] = {}
    for name, text in sorted(options.items()):
        try:
            values[name] = msgspec.json.decode(text)
        except (msgspec.DecodeError, RecursionError) as error:  # what is nested too deeply is no value of an option
            raise WireError(f"option {name}: {text!r} is no JSON value ({error})") from error
    return values


@cache
def _defaults(variant: str) -> dict[str, object]:
    return {option.name: option.default for option in variant_info(variant).options}
