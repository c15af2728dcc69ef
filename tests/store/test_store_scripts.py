"""Laws of the Lua files; that the keys of each script lie in one slot is shown by the store tests on a cluster."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

import arena.store
from arena.store import Scope, migrations, scripts
from arena.store.keys import KeyPart
from arena.store.scripts import SCRIPTS


def source(name: str) -> str:
    return (files(scripts) / f"{name}.lua").read_text("utf-8")


def test_every_script_that_is_called_is_a_file_and_every_file_is_called() -> None:
    folders = (files(arena.store), files(migrations))
    modules = [entry.read_text("utf-8") for folder in folders for entry in folder.iterdir() if entry.name[-3:] == ".py"]
    assert set(re.findall(r"\.script\(\s*\"(\w+)\"", "\n".join(modules))) == SCRIPTS.keys()


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_opens_with_its_keys_and_uses_no_other(script: str) -> None:
    header: list[str] = []
    body: list[str] = []
    for line in source(script).splitlines():
        (header if line.startswith("--") and not body else body).append(line)
    keys = " ".join(header).partition("KEYS")[2].partition("ARGV")[0]
    described = {int(number) for number in re.findall(r"(\d+)(?:\.\.)? [a-z]", keys)}
    used = {int(number) for number in re.findall(r"KEYS\[(\d+)\]", "\n".join(body))}
    assert used
    assert used <= described
    # A key is never put together in Lua, where a cluster cannot see it.
    assert "hfa:" not in SCRIPTS[script].source


def test_all_keys_of_a_scope_carry_its_hash_tag_whatever_the_bots_are_called() -> None:
    tags = {
        Scope.league("spring"): "league:spring",
        Scope.league("spring", "koikoi"): "league:spring",
        Scope.match("spring"): "match:spring",
        Scope.version("spring"): "version:spring",
        Scope.version("spring", "0f"): "version:spring",
    }
    seen: set[str] = set()
    for scope, tag in tags.items():
        keys = [getattr(scope, name) for name, value in vars(Scope).items() if isinstance(value, KeyPart)]
        keys += [scope.results(3), scope.replay_index_of("house:{odd}")]
        assert len(set(keys)) == len(keys) > 10
        assert {re.search(r"\{(.+?)\}", key)[1] for key in keys} == {tag}  # type: ignore[index]
        assert Scope.parse(str(scope)) == scope
        assert not seen & set(keys), "no scope has the keys of another"
        seen |= set(keys)


def test_a_divisions_whole_is_its_league() -> None:
    assert Scope.league("spring", "koikoi").whole == Scope.league("spring")
    assert Scope.match("m").whole == Scope.match("m")
