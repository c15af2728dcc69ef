"""What the command line says of the games and of itself."""

import re
import subprocess
import sys

import pytest
from arena_command import arena, document, done, refused

from core_ext import VARIANTS, variant_info


def test_a_variants_tables_name_every_yaku_and_option() -> None:
    info = variant_info("koikoi")
    told = document("tables", "koikoi")
    assert [row["id"] for row in told["yaku"]] == [row.id for row in info.yaku]
    assert [option["name"] for option in told["options"]] == [option.name for option in info.options]


@pytest.mark.parametrize("variant", VARIANTS)
def test_tables_keep_names_whole_on_80_columns(variant: str) -> None:
    info = variant_info(variant)
    shown = arena("tables", variant, env={"COLUMNS": "80"}).stdout
    assert max(map(len, shown.splitlines())) <= 80
    assert "…" not in shown
    for name in (*(row.id for row in info.yaku), *(option.name for option in info.options)):
        assert re.search(rf"^  {re.escape(name)} ", shown, re.MULTILINE), name


def test_help_loads_nothing_that_takes_time() -> None:
    heavy = ["asyncio", "core_ext", "google", "grpc", "msgspec", "numpy", "redis", "rich", "rustworkx"]
    assert not loaded("arena.cli.app", heavy)


def test_what_lists_bots_matches_and_replays_loads_nothing_that_pairs_leagues() -> None:
    assert not loaded("arena.cli.in_process, arena.cli.infos", ["numpy", "rustworkx"])


def loaded(modules: str, heavy: list[str]) -> list[str]:
    """Which of the heavy modules are loaded with others."""
    program = f"import sys, {modules}; print(*(name for name in {heavy} if name in sys.modules))"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return ended.stdout.split()


def test_the_version_is_told_and_an_unknown_command_refused() -> None:
    assert re.fullmatch(r"arena \d+\.\d+\.\d+\n", done("--version"))
    assert "No such command 'paly'" in refused("paly")
    assert "Missing argument 'REPLAY'" in refused("replay", "show")
