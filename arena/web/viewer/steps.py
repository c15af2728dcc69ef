"""Steps as the server draws them for a page that is open already: what its scripts put in place one after the other."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Literal

from starlette.requests import Request

from arena.web.pages import render
from arena.web.viewer.analysis.marks import Mark
from arena.web.viewer.scene import Document, scene

CHUNK = 12
"""How many steps of a replay are sent at once."""
Kind = Literal["viewer", "board", "game", "lesson"]
"""Which page the steps are for: each has its parts, and `KIND_step.html` draws them."""


def steps_markup(
    request: Request,
    kind: Kind,
    document: Document,
    numbers: Iterable[int],
    viewer: int,
    state: Mapping[str, object],
    judged: Mapping[int, Mark] = MappingProxyType({}),
    **values: Any,
) -> bytes:
    """Draw the steps of these numbers as one viewer sees them, each a `template`; `state` says how the match stands.

    `judged` is what an analysis says of its decisions.
    """
    scenes = [scene(document, number, viewer, judged) for number in numbers]
    return render(request, "steps.html", kind=kind, doc=document, scenes=scenes, state=state, **values)
