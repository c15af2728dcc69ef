"""`arena completion`: the shell's part of completing commands, options and their values."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, get_args

import typer

if TYPE_CHECKING:
    from arena.cli.known_names import Kind

Shell = Literal["bash", "zsh", "fish"]

PROGRAM = "arena"
VARIABLE = "_ARENA_COMPLETE"
"""With this in the environment the program completes what stands on a command line, and does nothing else."""

_DATA = Path("arena-data")
_MAX_FILES = 1_000
_BASH = """\
_arena_completion() {
    local IFS=$'\\n'
    COMPREPLY=( $(env COMP_WORDS="${COMP_LINE:0:COMP_POINT}" COMP_BREAKS="$COMP_WORDBREAKS" \\
                      _ARENA_COMPLETE=complete_bash "$1") )
}
complete -o default -F _arena_completion arena"""
_ZSH = """\
#compdef arena
_arena_completion() {
    local -a found
    found=("${(@f)$(env _TYPER_COMPLETE_ARGS="${words[1,$CURRENT]}" _ARENA_COMPLETE=complete_zsh arena)}")
    if [[ -n "$found" ]]; then
        _describe arena found
    else
        _files
    fi
}
compdef _arena_completion arena"""
_SCRIPTS = {"bash": _BASH, "zsh": _ZSH}
"""Scripts in place of typer's, which take the colon of `house:NAME` for the end of a word, or of a value."""


def prepare() -> None:
    """Have a command line completed where the shell's script asks for it."""
    if VARIABLE in os.environ:
        from arena.cli.completing import install

        install()


def completion(
    shell: Annotated[Shell, typer.Argument(metavar="|".join(get_args(Shell)), help="The shell that is to complete.")],
) -> None:
    """Print a shell's script to complete commands and values.

    In bash, in ~/.bashrc: eval "$(arena completion bash)". In zsh the same with zsh, in ~/.zshrc behind compinit. In
    fish: arena completion fish > ~/.config/fish/completions/arena.fish. Names are those of the data folder.
    """
    from typer.completion import get_completion_script  # type: ignore[attr-defined]

    script = _SCRIPTS.get(shell) or get_completion_script(prog_name=PROGRAM, complete_var=VARIABLE, shell=shell)
    typer.echo(script)


def variants(incomplete: str) -> list[str]:
    """Return the variants that begin so; behind a comma, of a list of them the last."""
    from core_ext import VARIANTS

    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{variant}" for variant in VARIANTS if variant.startswith(last)]


def leagues(context: typer.Context, incomplete: str) -> list[str]:
    """Return the leagues of the data folder that begin so."""
    return _complete_known("leagues", context, incomplete)


def ladders(context: typer.Context, incomplete: str) -> list[str]:
    """Return the ladders of the data folder that begin so."""
    return _complete_known("ladders", context, incomplete)


def registered(context: typer.Context, incomplete: str) -> list[str]:
    """Return the bots of the data folder that begin so, registered or submitted."""
    return _complete_known("bots", context, incomplete)


def owners(context: typer.Context, incomplete: str) -> list[str]:
    """Return the owners of the data folder that begin so."""
    return _complete_known("owners", context, incomplete)


def matches(context: typer.Context, incomplete: str) -> list[str]:
    """Return the single matches of the data folder that begin so."""
    return _complete_known("matches", context, incomplete)


def replays(context: typer.Context, incomplete: str) -> list[str]:
    """Return the matches that were played here, by name; anything else is left to the shell, which knows files."""
    from arena.cli.known_names import replays as replay_names

    return _beginning(replay_names(_data(context)), incomplete)


def own_bots(incomplete: str) -> list[str]:
    """Return the house bots, and the bots of the current folder, that begin so."""
    return _beginning([*_house(), *_bots_here()], incomplete)


def bots(context: typer.Context, incomplete: str) -> list[str]:
    """Return the house bots, those of the data folder, and those of the current folder, that begin so."""
    return [*own_bots(incomplete), *_complete_known("bots", context, incomplete)]


def _house() -> list[str]:
    from bots import HOUSE_PROGRAMS

    return [f"house:{name}" for name in HOUSE_PROGRAMS]


def _bots_here() -> list[str]:
    """Return the Python files of the current folder, and its folders with a manifest, as paths."""
    entries = sorted(os.scandir(), key=lambda entry: entry.name)[:_MAX_FILES]
    is_bot = (entry.name.endswith(".py") or Path(entry.path, "bot.toml").exists() for entry in entries)
    return [entry.path for entry, wanted in zip(entries, is_bot, strict=True) if wanted]


def _complete_known(kind: "Kind", context: typer.Context, incomplete: str) -> list[str]:
    from arena.cli.known_names import names_of_kind

    return _beginning(names_of_kind(kind, _data(context)), incomplete)


def _data(context: typer.Context) -> Path:
    return Path(context.params.get("data") or _DATA)


def _beginning(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]
