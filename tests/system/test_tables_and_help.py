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
    program = f"import sys, arena.cli.app; print([name for name in {heavy} if name in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert loaded.stdout == "[]\n"


def test_the_version_is_told_and_an_unknown_command_refused() -> None:
    assert re.fullmatch(r"arena \d+\.\d+\.\d+\n", done("--version"))
    assert "No such command 'paly'" in refused("paly")
    assert "Missing argument 'REPLAY'" in refused("replay", "show")
