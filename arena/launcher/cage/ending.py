"""How a caged program ended."""

from dataclasses import dataclass
from enum import StrEnum


class Cause(StrEnum):
    """Why a caged program ended."""

    EXITED = "exited"
    KILLED = "killed"
    """By a signal that the arena did not send."""
    OUT_OF_MEMORY = "out_of_memory"
    OUT_OF_PROCESSOR_TIME = "out_of_processor_time"
    OUT_OF_FUEL = "out_of_fuel"
    """It executed as many instructions for one message as the runtime `wasm` allows."""
    STOPPED = "stopped"
    """Its runtime could not go on with it: a trap of WebAssembly, or a file that is no program."""
    TOO_MUCH_OUTPUT = "too_much_output"
    SILENT = "silent"
    """No Hello came in time."""
    MALFORMED = "malformed"
    """What it wrote is no message of the protocol."""
    REFUSED = "refused"
    """Its Hello was refused: another version of the protocol, for example."""
    MESSAGE_TOO_LONG = "message_too_long"
    FLOODED = "flooded"
    """It sent more than was asked of it."""
    DOES_NOT_READ = "does_not_read"
    """What it was sent piled up."""
    CLOSED = "closed"
    """It closed its standard input or output, and ran on."""
    LOST = "lost"
    """The fork server that it came from ended: the arena's fault."""
    ENDED = "ended"
    """The arena ended it: it was needed no more."""


@dataclass(frozen=True)
class Ending:
    """The end of a caged program. `status` is its exit status, negative for the number of a signal."""

    cause: Cause
    status: int
    detail: str
    """For people, in words that follow the bot's name: "ended with status 1"."""
    last_output: str
    """The last lines of its standard error, without what could steer a terminal."""

    def text(self, label: str, when: str = "") -> str:
        """All of it, for the error that a match ends with; `when` follows the detail."""
        said = self.last_output or "(its standard error is empty)"
        return f"bot {' '.join(filter(None, (label, self.detail, when)))}:\n{said}"
