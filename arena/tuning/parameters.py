"""The parameters that are tuned: their names, their ranges, and where they start."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from arena.tuning.errors import TuningError

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,63}", re.ASCII)
Values = Mapping[str, float]


class Parameter(msgspec.Struct, frozen=True):
    """A parameter and its range, both ends included."""

    name: str
    low: float
    high: float
    whole: bool = False

    def fault(self) -> str:
        """What is wrong with it; empty where nothing is."""
        if _NAME.fullmatch(self.name) is None:
            return f"{self.name!r} is no name of a parameter"
        if not self.low < self.high or self.high - self.low == float("inf"):
            return f"the range of {self.name} must go from a number to a greater one, not {self.low:g} to {self.high:g}"
        if self.whole and (self.low != int(self.low) or self.high != int(self.high)):
            return f"{self.name} is a whole number, so its range begins and ends with one"
        return ""

    def unit(self, value: float) -> float:
        """Where a value is in the range, 0 to 1."""
        return (value - self.low) / (self.high - self.low)

    def value(self, unit: float) -> float:
        """The value at a place of the range, 0 to 1."""
        value = self.low + (self.high - self.low) * min(1.0, max(0.0, unit))
        return float(round(value)) if self.whole else value

    def text(self, value: float) -> str:
        """A value as it is printed."""
        return str(round(value)) if self.whole else f"{value:.4g}"


def parse_parameter(text: str) -> Parameter:
    """Read `k=0.5:3` or `n=1:40:int`. Raises TuningError."""
    name, equals, span = text.partition("=")
    low, *bounds = span.split(":")
    try:
        if not equals or len(bounds) not in (1, 2) or bounds[1:] not in ([], ["int"], ["float"]):
            raise ValueError(text)
        parameter = Parameter(name, float(low), float(bounds[0]), bounds[1:] == ["int"])
    except ValueError:
        raise TuningError(f"--param takes NAME=LOW:HIGH or NAME=LOW:HIGH:int, not {text!r}") from None
    if fault := parameter.fault():
        raise TuningError(f"--param {text}: {fault}")
    return parameter


def declared_parameters(manifest: Path) -> tuple[Parameter, ...]:
    """The parameters with a range in the table `[parameters]` of a `bot.toml`. Raises TuningError, OSError."""
    try:
        table = tomllib.loads(manifest.read_bytes().decode("utf-8-sig")).get("parameters", {})
    except (ValueError, RecursionError) as error:
        raise TuningError(f"{manifest}: this is not TOML: {error}") from error
    return tuple(_declared(manifest, name, about) for name, about in table.items())


def _declared(manifest: Path, name: str, about: object) -> Parameter:
    numbers = about if isinstance(about, dict) else {}
    keys = {"default", "low", "high"}
    if set(numbers) != keys or not all(type(value) in (int, float) for value in numbers.values()):
        wanted = "{ default = 1.0, low = 0.5, high = 3.0 }"
        raise TuningError(f"{manifest}: [parameters] {name}: three numbers are needed, {name} = {wanted}")
    whole = all(isinstance(value, int) for value in numbers.values())
    parameter = Parameter(name, float(numbers["low"]), float(numbers["high"]), whole)
    if fault := parameter.fault():
        raise TuningError(f"{manifest}: [parameters]: {fault}")
    if not parameter.low <= numbers["default"] <= parameter.high:
        raise TuningError(f"{manifest}: [parameters] {name}: its default {numbers['default']} is outside its range")
    return parameter


def texts_of(parameters: Iterable[Parameter], values: Values) -> str:
    """Values in words: `k = 1.7, n = 3`."""
    return ", ".join(f"{parameter.name} = {parameter.text(values[parameter.name])}" for parameter in parameters)
