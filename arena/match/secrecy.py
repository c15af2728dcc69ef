"""Waits that hide whether a question was asked.

After a deal every seat in turn, from the dealer on, could be asked about its dealt hand, and where hands are exchanged
every seat again, the dealer last; after a discard every other seat, from the next one on, whether it claims it. The
others must not notice which were (a `pass` is seen by nobody). Each of these seats has a slot of `cover_ms` there: a
question is asked when its slot begins and has no more time than nine tenths of it, and nothing that others notice
happens until the last slot is over, whoever was asked and however quickly. An exchange is seen by all; its seat could
be asked about a new dealt hand and another exchange: two slots, and then those of the seats that have still to
exchange.
"""

from collections.abc import Iterable

from arena.match.clock import clock
from arena.match.recess import Recess
from core_ext import Event, State, variant_info
from core_ext.secrecy import Secret, Slots


class SecrecySlots:
    """The slots of one match, which is in `recess` as long as it waits for them."""

    def __init__(self, state: State, cover_ms: int, recess: Recess) -> None:
        self._state = state
        self._recess = recess
        self._slot = cover_ms / 1000
        self._secrets = _secrets(state)
        self._order: Slots = ()
        self._opened_at = 0.0
        self._over_at = 0.0

    def open(self, events: Iterable[Event]) -> None:
        """Public events have been sent: if seats could be asked after them, their slots begin."""
        for event in events:
            if event.kind in self._secrets:
                slots = self._secrets[event.kind].slots(event.seat, self._state.dealer, self._state.seats)
                self._order = slots
                self._opened_at = max(self._over_at, clock.now())
                self._over_at = self._opened_at + len(slots) * self._slot

    def resume(self, seen: Iterable[Iterable[Event]]) -> None:
        """All of this was sent before the match came here: the last slots begin anew."""
        for events in seen:
            self._over_at = 0.0
            self.open(events)

    async def over(self) -> None:
        """Waits until the last slot is over."""
        await self._wait_until(self._over_at)

    async def hold(self) -> bool:
        """Waits until what the state asks next may be asked; whether that is asked in secret."""
        seat = self._state.current_player
        phase = self._phase(seat)
        secret = self.secret()
        if secret:
            await self._wait_until(self._opened_at + self._order.index((seat, phase)) * self._slot)
        else:
            await self.over()
        return secret

    def secret(self) -> bool:
        """Tell whether what the state asks now is to be asked in secret."""
        seat = self._state.current_player
        return seat >= 0 and self._phase(seat) != self._state.spectate().phase

    async def _wait_until(self, moment: float) -> None:
        if moment > clock.now():
            with self._recess.taken():
                await clock.sleep_until(moment)

    def _phase(self, seat: int) -> str:
        return self._state.observation(seat).phase if seat >= 0 else ""


def hides_events(state: State, viewer: int) -> bool:
    """Tell whether the `viewer` (a seat, or SPECTATOR) may not be shown yet what has happened before this question.

    It may not where another seat is asked in secret, and, if that seat passes, events or a question to the viewer
    follow at once: had nobody been asked, they would have come with what was before.
    """
    if not _is_secret_for(state, viewer):
        return False
    ahead = state.clone()
    while _is_secret_for(ahead, viewer):
        ahead.apply(ahead.parse_action("pass"))
    return ahead.current_player == viewer or bool(ahead.events(viewer, state.event_count))


def _is_secret_for(state: State, viewer: int) -> bool:
    """Tell whether another seat than the viewer is asked in secret."""
    seat = state.current_player
    return seat not in (-1, viewer) and state.observation(seat).phase != state.spectate().phase


def portions(state: State, since: int, seat: int) -> list[tuple[Event, ...]]:
    """The events from number `since` on as a seat may see them, in portions that are sent one by one: as many for all.

    What would come later if somebody were asked first, in secret, is a portion of its own.
    """
    secrets = _secrets(state)
    opened: Secret | None = None
    stages: list[list[Event]] = [[]]
    for event in state.events(seat, since):
        if opened is not None and event.kind not in opened.at_once:
            stages.append([])
            opened = None
        stages[-1].append(event)
        opened = secrets.get(event.kind, opened)
    return [tuple(portion) for portion in stages]


def _secrets(state: State) -> dict[str, Secret]:
    """By the kinds of events after which seats could be asked in secret."""
    return {secret.after: secret for secret in variant_info(state.variant).secrets}
