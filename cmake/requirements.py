"""Print the project's requirements, run-time and development, one a word: what is installed before the build."""

import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())["project"]
print(*project["dependencies"], *project["optional-dependencies"]["dev"])  # noqa: T201
