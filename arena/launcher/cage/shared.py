"""The cages that everything in a process shares."""

from arena.launcher.cage.cages import Cages
from arena.launcher.cage.errors import NoCageError
from arena.launcher.cage.limits import CageLimits


class SharedCages:
    """The cages of a process, set up when they are first asked for; `processors` and `limits` as `Cages` has them."""

    def __init__(
        self, cages: Cages | None = None, processors: int | None = None, limits: CageLimits | None = None
    ) -> None:
        self._cages = cages
        self._limits = limits
        self._processors = processors
        self._why_not: str | None = None

    def get(self) -> Cages:
        """The cages. Raises NoCageError where there can be none."""
        if self._why_not is not None:
            raise NoCageError(self._why_not)
        if self._cages is None:
            try:
                self._cages = Cages(self._limits, self._processors)
            except NoCageError as error:
                self.give_up(str(error))
                raise
        return self._cages

    def give_up(self, why: str) -> None:
        """Note that nothing can be caged here, as was found out by trying."""
        self._why_not = why

    def thinking(self) -> int:
        """How many caged bots have a processor now."""
        return 0 if self._cages is None else self._cages.processors.taken

    def close(self) -> None:
        """Remove what was made for cages; all of them have to be closed before. Twice does no harm."""
        if self._cages is not None:
            self._cages.close()
            self._cages = None
