"""Leagues and nodes for tests of the command line."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from arena_command import document
from one_league import Unbroken, file_in
from several_nodes import Nodes, several_nodes


@pytest.fixture(scope="session")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Unbroken:
    """The league as nobody disturbs it."""
    folder = tmp_path_factory.mktemp("unbroken")
    file, data = file_in(folder), folder / "data"
    # Sets are in another order than in the leagues that are compared with it.
    return Unbroken(file, data, document("league", "run", file, "--data", data, env={"PYTHONHASHSEED": "1"}))


@pytest.fixture
def nodes(tmp_path: Path) -> Iterator[Nodes]:
    """An arena that has no node yet."""
    with several_nodes(tmp_path) as nodes:
        yield nodes
