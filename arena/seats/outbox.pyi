"""What a node does at the end of a turn of its event loop."""

from typing import final

class Pending:
    """Something that is brought up to date at the end of a turn of the event loop, once however often it is put."""

    def flush(self) -> None:
        """Bring it up to date."""

@final
class Outbox:
    """What is to be flushed at the end of a turn of the event loop, one right after the other.

    So those who read what is written are woken less often. A flush that fails is reported to the event loop.
    """

    def put(self, writer: Pending) -> None:
        """Flush this as well."""
    def take(self) -> None:
        """Flush all of it now."""
