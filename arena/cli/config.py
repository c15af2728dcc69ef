"""`arena config`."""

from typing import Annotated, Literal, get_args

import typer

from arena.cli.commands import command, prefix_of
from arena.cli.config_file import settings_of
from arena.cli.output import print_answer
from arena.cli.values import AsJson

app = typer.Typer(name="config", no_args_is_help=True, help="The settings of an arena's processes.")

Configured = Literal["serve", "web"]


@command(app, "arena config show serve --config arena.toml")
def show(
    context: typer.Context,
    name: Annotated[Configured, typer.Argument(metavar="|".join(get_args(Configured)), help="Whose settings.")],
    config: Annotated[str | None, typer.Option("--config", metavar="FILE", help="The file; or ARENA_CONFIG.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show each setting, and where it comes from.

    From a line of the file, a variable of the environment, or the default.
    """
    configured = context.find_root().command.commands[name]  # type: ignore[attr-defined]
    options = [] if config is None else ["--config", config]
    with configured.make_context(name, options, parent=context.find_root()) as inner:
        settings = settings_of(inner, prefix_of(name))
    widths = [max(len(setting[column]) for setting in settings) for column in range(2)]
    lines = (f"{name:{widths[0]}}  {value:{widths[1]}}  {origin}" for name, value, origin in settings)
    print_answer(as_json, {"settings": [setting._asdict() for setting in settings]}, lines)
