"""`arena completion`: the shell's part of completing commands, options and their values."""

import os
from typing import Annotated, Literal, get_args

import typer

Shell = Literal["bash", "zsh", "fish"]

PROGRAM = "arena"
VARIABLE = "_ARENA_COMPLETE"
"""With this in the environment the program completes what stands on a command line, and does nothing else."""


def prepare() -> None:
    """Have a command line completed where the shell's script asks for it."""
    if VARIABLE in os.environ:
        from typer.completion import completion_init  # type: ignore[attr-defined]

        completion_init()


def completion(
    shell: Annotated[Shell, typer.Argument(metavar="|".join(get_args(Shell)), help="The shell that is to complete.")],
) -> None:
    """Print a shell's script to complete commands and values.

    In bash, in ~/.bashrc: eval "$(arena completion bash)". In zsh the same with zsh, in ~/.zshrc behind compinit. In
    fish: arena completion fish > ~/.config/fish/completions/arena.fish
    """
    from typer.completion import get_completion_script  # type: ignore[attr-defined]

    typer.echo(get_completion_script(prog_name=PROGRAM, complete_var=VARIABLE, shell=shell))


def variants(incomplete: str) -> list[str]:
    """Return the variants that begin so; behind a comma, of a list of them the last."""
    from core_ext import VARIANTS

    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{variant}" for variant in VARIANTS if variant.startswith(last)]
