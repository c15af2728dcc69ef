from collections.abc import Mapping

from core_ext.options import Options
from core_ext.tensors import Layout

class Opponent:
    """Plays the seats that are not the learner's; this one at random, each legal action equally likely."""

class Games:
    """Many games of one variant, stepped at once in C; what is seen of them is written into the caller's arrays.

    A game asks one seat after the other: the *asked* seat's view and legal actions are written, and ``step`` takes its
    action. A game that ends is followed at once by the next one in its place.
    """

    count: int
    seats: int
    actions: int
    threads: int

    def __init__(
        self,
        variant: str,
        options: Mapping[str, object] | None,
        seats: int | None,
        count: int,
        layout: Layout,
        learner: int | None = None,
        threads: int = 1,
        opponent: Opponent | None = None,
    ) -> None:
        """``count`` games. With a ``learner`` (0 or more) one seat of each game is asked, the opponent plays the others
        in C, by default at random: in game n of place i the seat (i + n + learner) modulo the seats is the learner's.
        UnknownVariantError, OptionError, SeatsError; ValueError for a count, threads or learner out of range or a
        layout for other seats.
        """

    @property
    def options(self) -> Options: ...
    def bind(
        self,
        planes: object,
        numbers: object,
        mask: object,
        legal: object,
        legal_counts: object,
        seats: object,
        reward: object,
        rewards: object,
        done: object,
        final_planes: object,
        final_numbers: object,
    ) -> None:
        """Sets the arrays that everything is written into, C-contiguous and writable, for ``count`` games each:

        ``planes`` uint8 (count, planes, 48); ``numbers`` float32 (count, numbers); ``mask`` int8 (count, actions), 1
        where an action is legal; ``legal`` uint16 (count, 64), the legal actions ascending, of which ``legal_counts``
        uint8 (count) say how many; ``seats`` int8 (count), the asked seat; ``reward`` float64
        (count), that of the seat that acted; ``rewards`` float64 (count, seats), what
        each seat's balance has gained since the rewards before, in the unit of the results; the last ones of a match
        settle it, so that they all add up to the results; ``done`` uint8 (count), 1 where a game ended and the
        next has begun; ``final_planes`` and ``final_numbers``, written there alone, what the seat that acted last saw
        at the end. ``mask`` and ``legal`` may be None where they are not wanted. TypeError or ValueError for an
        array of another shape, type or layout, before anything is written.
        """

    def reset(self, seed: int) -> None:
        """Begins all games anew and writes what is seen. The seeds of the games follow from this number (64 bits)."""

    def step(self, actions: object) -> int:
        """Plays an action (int64, one for each game) for each asked seat, and writes what is seen then.

        It returns how many matches ended.

        IllegalActionError names the game and its legal actions, ValueError and TypeError arrays that do not fit;
        nothing has been played then.
        """

    def sample(self, actions: object) -> None:
        """Writes a legal action of each game, all equally likely, into ``actions`` (int64, one for each game).

        It has random numbers of its own: the games go on as they would without it.
        """

    def seed(self, index: int) -> bytes:
        """The seed of the game in this place, 32 bytes: ``State.new`` with it deals the same match."""
