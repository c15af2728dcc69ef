"""Which matches are exported."""

from datetime import UTC, datetime

from msgspec import Struct

from arena.export.played import PlayedMatch


class MatchFilter(Struct, frozen=True):
    """Each field that is given has to hold; bots are named as in the match.

    `version` is the beginning of a version that one of the bots played. `won` was alone in the first place, `lost` was
    not in the first place, `forfeited` ended the match by its fault. `since` and `until` are times of a PlayedMatch:
    the first counts in, the last does not.
    """

    league: str | None = None
    bot: str | None = None
    version: str | None = None
    owner: str | None = None
    variant: str | None = None
    won: str | None = None
    lost: str | None = None
    forfeited: str | None = None
    since: float | None = None
    until: float | None = None

    @property
    def bots(self) -> tuple[str, ...]:
        """Every bot that is named."""
        return tuple(filter(None, (self.bot, self.won, self.lost, self.forfeited)))

    def admits(self, match: PlayedMatch) -> bool:
        """Whether the match is exported."""
        record = match.record
        places = match.placing
        winner = record.names[places.index(1)] if places.count(1) == 1 else None
        losers = {name for name, place in zip(record.names, places, strict=True) if place > 1}
        offender = record.names[record.offender] if record.offender >= 0 else None
        versions = map(match.version, range(len(record.names)))
        return (
            self.league in (None, match.league)
            and (self.bot is None or self.bot in record.names)
            and (self.owner is None or self.owner in match.owners)
            and self.variant in (None, record.variant)
            and self.won in (None, winner)
            and (self.lost is None or self.lost in losers)
            and self.forfeited in (None, offender)
            and (self.since is None or match.time >= self.since)
            and (self.until is None or match.time < self.until)
            and (self.version is None or any(version.startswith(self.version) for version in versions))
        )


def moment(text: str) -> float:
    """A day or a time in seconds since 1970; without a zone it is UTC. ValueError."""
    try:
        time = datetime.fromisoformat(text)
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError) as error:
        raise ValueError(f"takes a day or a time such as 2026-05-31T18:00, not {text!r}") from error
