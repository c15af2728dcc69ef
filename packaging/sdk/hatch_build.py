"""Put the SDK and freshly generated stubs into its wheel."""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parents[2]
FOLDER = "hanafuda_arena_sdk"
"""Where all of it lies in site-packages. No file is one of the arena's own wheel, so either is removed without harm to
the other; a `.pth` file appends the folder to the path, so where both are installed the arena's own SDK is imported."""


class SdkFiles(BuildHookInterface):  # type: ignore[misc,type-arg]
    """The files of the SDK's wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Generate the stubs, and name every file with its place in the wheel."""
        self._work = tempfile.TemporaryDirectory()
        stubs = Path(self._work.name)
        generate = ROOT / "cmake" / "generate_stubs.py"
        subprocess.run([sys.executable, generate, ROOT / "proto", stubs], check=True)
        path_file = stubs / f"{FOLDER}.pth"
        path_file.write_text(f"{FOLDER}\n")
        files = {str(path_file): path_file.name, str(stubs / "hanafuda"): f"{FOLDER}/hanafuda"}
        for name in ("__init__.py", "py.typed", "sdk"):
            files[str(ROOT / "arena" / name)] = f"{FOLDER}/arena/{name}"
        build_data["force_include"].update(files)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the generated stubs."""
        self._work.cleanup()
