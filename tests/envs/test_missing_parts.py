"""What is imported without the part of the package that brings it says which part that is."""

import subprocess
import sys

import pytest

WITHOUT = """
import sys
sys.modules[{package!r}] = None
import {module}
"""


@pytest.mark.parametrize(
    ("module", "package", "part"),
    [
        ("arena.envs", "gymnasium", "envs"),
        ("arena.envs", "pettingzoo", "envs"),
        ("arena.envs.openspiel", "pyspiel", "openspiel"),
    ],
)
def test_a_missing_library_is_named_with_what_installs_it(module: str, package: str, part: str) -> None:
    code = WITHOUT.format(module=module, package=package)
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[-1] == (
        f"ModuleNotFoundError: {module} needs {package}: pip install 'hanafuda-arena[{part}]'"
    )
