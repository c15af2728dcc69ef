"""The options that choose matches, of `arena export …` and `arena replay list`."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from arena.cli import completion
from arena.cli.failures import WrongUseError

if TYPE_CHECKING:
    from arena.export import MatchFilter


class MatchFilters(NamedTuple):
    """Which matches."""

    league: Annotated[
        str | None, typer.Option(autocompletion=completion.leagues, metavar="NAME", help="Only matches of this league.")
    ] = None
    bot: Annotated[
        str | None,
        typer.Option(autocompletion=completion.registered, metavar="NAME", help="Only matches with this bot."),
    ] = None
    version: Annotated[
        str | None, typer.Option(metavar="VERSION", help="Only matches of a version that begins like this.")
    ] = None
    owner: Annotated[
        str | None,
        typer.Option(autocompletion=completion.owners, metavar="NAME", help="Only matches with a bot of this owner."),
    ] = None
    variant: Annotated[str | None, typer.Option(metavar="VARIANT", help="Only matches of this game.")] = None
    won: Annotated[
        str | None,
        typer.Option(autocompletion=completion.registered, metavar="NAME", help="Only matches that this bot won."),
    ] = None
    lost: Annotated[
        str | None,
        typer.Option(autocompletion=completion.registered, metavar="NAME", help="Only matches that this bot lost."),
    ] = None
    forfeited: Annotated[
        str | None,
        typer.Option(
            autocompletion=completion.registered, metavar="NAME", help="Only matches that this bot forfeited."
        ),
    ] = None
    since: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="TIME", help="Only matches of leagues made from then on; UTC, 2026-05-31[T18:00]."
        ),
    ] = None
    until: Annotated[
        str | None, typer.Option("--to", metavar="TIME", help="Only matches of leagues made before then.")
    ] = None

    @property
    def need_replays(self) -> bool:
        """Whether replays are read to choose them: a list alone tells the league and the bots."""
        return any(value is not None for name, value in self._asdict().items() if name not in ("league", "bot"))

    @property
    def text(self) -> str:
        """The filters in words, after a space; "" where there is none."""
        others = {name: value for name, value in self._asdict().items() if name not in ("league", "bot")}
        others = {{"since": "from", "until": "to"}.get(name, name): value for name, value in others.items()}
        named = ", ".join(f"{name} {value}" for name, value in others.items() if value is not None)
        of, bot = f" of league {self.league}" if self.league else "", f" with {self.bot}" if self.bot else ""
        return f"{of}{bot}{f' ({named})' if named else ''}"

    def filter(self) -> "MatchFilter":
        """The filter; WrongUseError."""
        from arena.export import MatchFilter, check_name
        from core_ext import VARIANTS

        with names_checked():
            check_name("variant", self.variant, VARIANTS)
        return MatchFilter(
            league=self.league,
            bot=self.bot,
            version=self.version,
            owner=self.owner,
            variant=self.variant,
            won=self.won,
            lost=self.lost,
            forfeited=self.forfeited,
            since=_time("--from", self.since),
            until=_time("--to", self.until),
        )


@contextmanager
def names_checked() -> Iterator[None]:
    """A name that nothing has is wrong use of the option; WrongUseError."""
    from arena.export import UnknownNameError

    try:
        yield
    except UnknownNameError as error:
        raise WrongUseError(f"--{error}") from error


def _time(option: str, text: str | None) -> float | None:
    """Seconds since 1970. WrongUseError."""
    from arena.export import moment

    try:
        return None if text is None else moment(text)
    except ValueError as error:
        raise WrongUseError(f"{option} {error}") from error
