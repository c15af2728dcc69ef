"""What a seat gives for a question: an answer that is still to come, without a task that waits for it."""

from collections.abc import Generator
from typing import Any, final

from arena.match.question import Answer

@final
class Reply:
    """The answer to one question, for one task to await, or for the arbiter to hear without one."""

    def __await__(self) -> Generator[Any, None, Answer]: ...
