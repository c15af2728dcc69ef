"""Matches for the viewer: short ones of every variant and every number of seats, with secrets, clocks and a forfeit."""

from replay_cases import GOLDEN

from arena.bench.site import house_match
from arena.replays import ReplayRecord, decode
from core_ext import VARIANTS

HOSTILE = "</script><img src=x onerror=alert(1)>\"'&{{7*7}}"


def golden(name: str) -> ReplayRecord:
    return decode((GOLDEN / f"{name}.hreplay").read_bytes())


FORFEITS = {variant: golden(f"{variant}-forfeit") for variant in VARIANTS}
WHOLE = {variant: golden(variant) for variant in VARIANTS}
SEATS = {
    "two": house_match("sangohana", "two", names=["ann", "bo"]),
    "four": house_match("sangohana", "four", names=["ann", "bo", "cy", "di"]),
}
CLOCK = golden("koikoi-clock")
NASTY = house_match("koikoi", "nasty", options={"months": 1}, names=[HOSTILE, "x" * 200])
