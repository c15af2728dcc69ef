from collections.abc import Iterable, Mapping
from typing import SupportsIndex, final

from core_ext.observation import Event, Observation
from core_ext.options import Options

@final
class State:
    """A match under way, dealt by ``State.new``: the same seed and actions give the same match anywhere."""

    @staticmethod
    def new(
        variant: str,
        options: Mapping[str, object] | None = None,
        seed: str | int | bytes = 0,
        seats: int | None = None,
    ) -> State:
        """A new match, dealt. UnknownVariantError, OptionError, SeedError, SeatsError."""

    @staticmethod
    def from_deck(
        variant: str,
        options: Mapping[str, object] | None,
        deck: str | Iterable[int],
        dealer: int = 0,
        month: int = 1,
        attempt: int = 0,
        seats: int | None = None,
        following: Iterable[str | Iterable[int]] = (),
    ) -> State:
        """A match that begins with a given deck (texts divided by spaces, or ids; top first), balances at their start.

        It has no seed. The next deals have the decks ``following``, the later ones decks by chance that follows from
        the first. DeckError, SeatsError; ValueError for a month or an attempt that no match has.
        """

    @staticmethod
    def from_observation(observation: Observation, rng_seed: int) -> State:
        """A state that the observation's seat cannot tell from the true one: hidden cards and future decks made up.

        The same observation and number (64 bits count) give the same state. ObservationError when no deal fits.
        """

    @property
    def variant(self) -> str: ...
    @property
    def rules_version(self) -> int: ...
    @property
    def seats(self) -> int: ...
    @property
    def options(self) -> Options:
        """Every option, defaults written out, under flat names (``points.goko``)."""

    @property
    def seed(self) -> bytes | None:
        """The match's 32 bytes; None for a state that was sampled or begun with a given deck."""

    @property
    def current_player(self) -> int:
        """The seat that is asked, -1 when the match is over."""

    @property
    def is_over(self) -> bool: ...
    @property
    def month(self) -> int: ...
    @property
    def attempt(self) -> int: ...
    @property
    def dealer(self) -> int: ...
    def legal_actions(self) -> list[int]:
        """The codes that the asked seat may choose from, ascending; empty only when the match is over."""

    def legal_texts(self) -> list[str]:
        """The texts of ``legal_actions``, in its order."""

    def action_text(self, code: int) -> str:
        """The text of a code of this variant. NotationError."""

    def parse_action(self, text: str) -> int:
        """The code of an action's text, legal now or not. NotationError."""

    def apply(self, action: SupportsIndex) -> None:
        """The asked seat does this. IllegalActionError or MatchOverError leave the state as it was."""

    def apply_all(self, actions: Iterable[SupportsIndex] | bytes) -> None:
        """Apply codes in order (bytes: 16-bit little-endian). Stop at the first that is illegal, with its error."""

    def apply_choices(self, choices: bytes) -> None:
        """Apply actions by their indexes into ``legal_actions``, a byte each.

        Stops at the first that there is not, with IllegalActionError (its ``code`` is the index) or MatchOverError.
        """

    def pack_choices(self, choices: bytes) -> tuple[bytes, str]:
        """``apply_choices``; returns the choices in as few bytes as the numbers of legal actions allow, and a hash.

        The hash, 64 hex digits, is over the position here and every choice and position after it. It is the same on
        every machine, and no other choices from here have it.

        The choices are digits of 64-bit numbers, the first the lowest, the number of legal actions being each digit's
        base. A number takes as many as fit, so that the product of the bases is below 2^64, and 8 bytes, little-endian;
        the last takes as many bytes as that product less 1.
        """

    def apply_packed(self, packed: bytes, decisions: int) -> tuple[bytes, str]:
        """Apply as many choices as were packed from here on; return them unpacked, with the same hash.

        Stops with MatchOverError where they are too many, and raises PackedChoicesError where the bytes are not those
        that ``pack_choices`` gives for these choices.
        """

    def actions(self) -> list[int]:
        """Every code applied in the match so far. SampledStateError."""

    def clone(self) -> State:
        """A state of its own, at the same point of the same match."""

    def returns(self) -> tuple[int, ...]:
        """The final results by seat; while the match is under way, the balances."""

    def balances(self) -> tuple[int, ...]:
        """The running totals by seat, in the variant's unit."""

    def placing(self) -> tuple[int, ...]:
        """The places by seat, 1 for the best ``returns``; equal seats share the better place."""

    def observation(self, seat: int, since: int = 0) -> Observation:
        """What the seat knows; its events are the current deal's, from the match's event ``since`` on. SeatsError."""

    def spectate(self) -> Observation:
        """What everybody may see."""

    def determinize(self, seat: int, rng_seed: int) -> State:
        """``from_observation(observation(seat), rng_seed)``: nothing that the seat cannot know is in it."""

    @property
    def event_count(self) -> int:
        """How many events the match has had, those included that only some may see."""

    def events(self, seat: int, since: int = 0) -> tuple[Event, ...]:
        """The events from number ``since`` of the match on, as a seat, a SPECTATOR (-1) or ALL (-2) may see them."""

    def transcript(self, legal: bool = False) -> dict[str, object]:
        """The finished deals of the match as plain JSON values; with the legal texts if asked. SampledStateError."""

    def state_hash(self) -> str:
        """16 hex digits of the position, the same on every machine: SHA-256 over all that decides what can follow."""
