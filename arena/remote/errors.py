"""What can go wrong when an arena is called over gRPC."""

from collections.abc import Mapping


class RemoteError(Exception):
    """Base of every error of a call to an arena; its text is one line for people."""


class UnreachableError(RemoteError):
    """No arena answers at the address, or the connection was lost; the same call may be tried again."""

    def __init__(self, address: str, why: str) -> None:
        super().__init__(f"no arena answers at {address}: {why}")
        self.address = address
        self.why = why


class NotServedError(RemoteError):
    """The arena at the address does not know the call."""

    def __init__(self, address: str) -> None:
        super().__init__(f"the arena at {address} does not know this call: it is older than this command")


class ForeignAnswerError(RemoteError):
    """The arena's answer holds what this program does not know."""

    def __init__(self, what: str) -> None:
        super().__init__(f"the arena's answer holds {what}, unknown to this program: it is older than the arena")


class RefusedError(RemoteError):
    """The arena refuses the call; `reason` and `metadata` are ErrorInfo's."""

    def __init__(self, reason: str, text: str, metadata: Mapping[str, str]) -> None:
        super().__init__(text)
        self.reason = reason
        self.metadata = dict(metadata)
