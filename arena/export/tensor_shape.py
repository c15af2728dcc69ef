"""What the arrays of exported decisions are like."""

import json
from collections.abc import Mapping
from typing import NamedTuple

from arena.sdk.tensors import CARDS, ENCODING_VERSION, layout_of
from core_ext import variant_info


class Shape(NamedTuple):
    """Of the matches: their variant and seats, and how many decisions they have; ("", 0, 0) where there are none."""

    variant: str
    seats: int
    decisions: int

    @property
    def columns(self) -> Mapping[str, tuple[str, tuple[int, ...]]]:
        """By an array's name its type, as NumPy writes it, and the shape of its entry for a decision."""
        layout = layout_of(self.variant, self.seats)
        return {
            "cards": ("u1", (len(layout.planes), CARDS)),
            "numbers": ("<f4", (len(layout.number_names),)),
            "action_mask": ("i1", (len(variant_info(self.variant).actions),)),
            "seat": ("i1", ()),
            "action": ("<i2", ()),
            "match": ("<i4", ()),
            "result": ("<i8", ()),
            "place": ("i1", ()),
        }

    def described(self, **more: object) -> str:
        """What describes the arrays, and more, as JSON: the names of planes, numbers and actions."""
        layout, info = layout_of(self.variant, self.seats), variant_info(self.variant)
        encoding = {
            "variant": self.variant,
            "seats": self.seats,
            "encoding_version": ENCODING_VERSION,
            "rules_version": info.rules_version,
            "decisions": self.decisions,
            "planes": layout.plane_names,
            "numbers": layout.number_names,
            "actions": info.actions,
        }
        return json.dumps({**encoding, **more}, ensure_ascii=False, indent=1) + "\n"
