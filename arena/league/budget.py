"""A bound on a search by counted work, so that every machine stops at the same place and finds the same."""


class Budget:
    """Units of work that a search may still spend."""

    def __init__(self, units: int) -> None:
        self.remaining = units

    def spend(self, units: int = 1) -> bool:
        """Take units off; whether there were that many left."""
        self.remaining -= units
        return self.remaining >= 0

    def share(self, units: int) -> "Budget":
        """Take at most these units off for a part of the search, which has them alone."""
        part = Budget(max(min(units, self.remaining), 0))
        self.remaining -= part.remaining
        return part

    def give_back(self, part: "Budget") -> None:
        """Take back what a part of the search has left over."""
        self.remaining += max(part.remaining, 0)
