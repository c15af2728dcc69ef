"""Adding commands to the tree: every command's help ends with examples, and names its arguments in one style."""

from collections.abc import Callable
from typing import Any, TypeVar

import typer
from typer.core import TyperCommand

from arena.cli.targets import with_groups

Function = TypeVar("Function", bound=Callable[..., Any])


class Command(TyperCommand):
    """A command whose help shows arguments by their metavar alone, without braces and Python's types."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The parts of the usage line."""
        arguments = (param for param in self.get_params(ctx) if param.param_type_name == "argument")
        return [
            "[OPTIONS]",
            *(_shown(argument) if argument.required else f"[{_shown(argument)}]" for argument in arguments),
        ]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Writes the lists of arguments and options."""
        rows: dict[str, list[tuple[str, str]]] = {"argument": [], "option": []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                name, text = record
                if parameter.param_type_name == "argument":  # whose brackets in the usage say whether it is required
                    name, text = _shown(parameter), text.removesuffix("  [required]")
                rows[parameter.param_type_name].append((name, text))
        for kind, described in rows.items():
            if described:
                with formatter.section(f"{kind.capitalize()}s"):
                    formatter.write_dl(described)


def _shown(argument: Any) -> str:
    return f"{argument.metavar}{'...' if argument.nargs != 1 else ''}"


def prefix_of(command: str) -> str:
    """The beginning of the environment variables of a command's options."""
    return f"ARENA_{command.upper()}"


def command(
    app: typer.Typer, *examples: str, name: str | None = None, configured: bool = False
) -> Callable[[Function], Function]:
    """Registers a function as a command of `app`; `examples` are command lines that can be typed as they are.

    The options of one that is `configured` may be given in the environment too.
    """
    shown = ["\b", "Example:" if len(examples) == 1 else "Examples:", *(f"  {example}" for example in examples)]

    def registered(function: Function) -> Function:
        settings = {"auto_envvar_prefix": prefix_of(name or function.__name__)} if configured else None
        app.command(name, cls=Command, epilog="\n".join(shown), context_settings=settings)(with_groups(function))
        return function

    return registered
