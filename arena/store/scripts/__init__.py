"""The Lua scripts, one file each; every key a script touches is in its KEYS, described at its top.

redis-py's `register_script` would ask the server before each pipeline which scripts it knows, a round trip more for
every batch, and its cluster pipelines take no registered scripts; so the client calls a script by its SHA-1 and sends
the source only where the server answers that it does not know it.
"""

import hashlib
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Script:
    """One script as the server sees it; `sha` is the name it is called by."""

    source: str
    sha: str


def _script(source: str) -> Script:
    return Script(source, hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest())


_FILES = {file.name.removesuffix(".lua"): file for file in files(__name__).iterdir() if file.name.endswith(".lua")}
_PRELUDE = _FILES.pop("prelude").read_text("utf-8")
SCRIPTS = {name: _script(_PRELUDE + file.read_text("utf-8")) for name, file in sorted(_FILES.items())}
"""Every script, by its file's name."""
