import sys
from pathlib import Path

import pytest
from arena_command import document
from one_league import Unbroken, file_in

sys.path.append(str(Path(__file__).parents[1] / "store"))


@pytest.fixture(scope="session")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Unbroken:
    """The league as nobody disturbs it."""
    folder = tmp_path_factory.mktemp("unbroken")
    file, data = file_in(folder), folder / "data"
    # Sets are in another order than in the leagues that are compared with it.
    return Unbroken(file, data, document("league", "run", file, "--data", data, env={"PYTHONHASHSEED": "1"}))
