from typing import final

@final
class Move:
    """What a bot answers to a decision: the fields of the message of this name."""

    @property
    def match_id(self) -> str: ...
    @property
    def decision(self) -> int: ...
    @property
    def code(self) -> int: ...

def decode_move(request: bytes) -> Move | None:
    """Return the Move of a serialised PlayRequest, if it is one that protobuf wrote; else None: protobuf has to say."""
