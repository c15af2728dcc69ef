"""The worked notebook: it runs as it is written, and shows what it shows."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).parents[2] / "docs" / "notebook.ipynb"
DEADLINE_S = 240.0
EXECUTE = """
import nbformat
from nbclient import NotebookClient
from traitlets.config import Config

notebook = nbformat.read("notebook.ipynb", as_version=4)
# Over sockets that are files: a port of TCP may go to another program before the kernel has it.
files = Config(KernelManager={"transport": "ipc", "ip": "kernel"})
NotebookClient(notebook, config=files).execute()
nbformat.write(notebook, "notebook.ipynb")
"""


def outputs(notebook: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """What each cell of code put out."""
    return [[output["data"] for output in cell["outputs"]] for cell in notebook["cells"] if cell["cell_type"] == "code"]


def test_the_notebook_runs_from_nothing_and_comes_out_as_it_is_saved(tmp_path: Path) -> None:
    (tmp_path / "notebook.ipynb").write_bytes(NOTEBOOK.read_bytes())
    folders = {name: str(tmp_path / name) for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR")}
    done = subprocess.run(
        [sys.executable, "-c", EXECUTE],
        cwd=tmp_path,
        env={**os.environ, **folders, "JUPYTER_RUNTIME_DIR": str(tmp_path / "runtime")},
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    saved, now = (outputs(json.loads(path.read_text("utf-8"))) for path in (NOTEBOOK, tmp_path / "notebook.ipynb"))
    assert [[one["text/plain"] for one in cell] for cell in now] == [
        [one["text/plain"] for one in cell] for cell in saved
    ]
    drawn = ["".join(one["text/html"]) for cell in saved for one in cell if "text/html" in one]
    assert len(drawn) == 3, "the match, the test and the league"
    assert all("<svg" in one for one in drawn)
