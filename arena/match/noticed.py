"""How far a match has gone for somebody who must not notice what others are asked in secret.

What a viewer is shown, and when there is something new, follows from the public events and from the viewer's own
questions alone. A secret question, and a pass, are nothing new. Where events follow at once if nobody is asked, those
before a secret question are shown together with them.
"""

from arena.match.model import MatchSpec
from arena.match.secrecy import hides_events
from core_ext import State


class Noticed:
    """The actions of a match from which a `viewer`, a seat or SPECTATOR, may be shown how it stands.

    `actions` is how many of the first these are. `version` is raised whenever the viewer has something new to see.
    """

    def __init__(self, spec: MatchSpec, viewer: int) -> None:
        self.actions = 0
        self.version = 0
        self._viewer = viewer
        self._state = State.new(spec.variant, spec.options, spec.seed, len(spec.names))
        self._applied = 0
        self._events = 0
        self._look()

    def advance(self, choices: bytes) -> None:
        """Take over the actions of the match so far, of which the first are those that are known already."""
        for number in range(self._applied, len(choices)):
            self._state.apply_choices(choices[number : number + 1])
            self._applied += 1
            self._look()

    def _look(self) -> None:
        state = self._state
        if hides_events(state, self._viewer):
            return
        is_asked = state.current_player == self._viewer and not state.is_over
        if is_asked or state.is_over or state.events(self._viewer, self._events):
            self.version += 1
        self._events = state.event_count
        self.actions = self._applied
