"""Print requirements of pyproject.toml, one a word: ``requirements.py run`` or ``requirements.py dev``.

`run` is what the arena runs on and is built with, `dev` what its tests and checks need besides.
"""

import sys
import tomllib
from pathlib import Path

_BUILD = ("cmake", "ninja")
"""What scikit-build-core asks for where the machine has none of its own."""

document = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())
project = document["project"]
requirements = {
    "run": [*_BUILD, *document["build-system"]["requires"], *project["dependencies"]],
    "dev": project["optional-dependencies"]["dev"],
}
print(*requirements[sys.argv[1]])  # noqa: T201
