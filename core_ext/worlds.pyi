from core_ext.observation import Observation

class Worlds:
    """What a seat knows of a deal, ready to be completed any number of times: from C, without the GIL.

    ObservationError when the seat is not asked, and when no deal fits.
    """

    def __init__(self, observation: Observation) -> None: ...
    @property
    def seat(self) -> int: ...
    @property
    def unseen_count(self) -> int:
        """How many cards lie where the seat does not see them."""
