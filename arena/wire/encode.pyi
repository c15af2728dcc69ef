from arena.match.question import Question

def decision_response_bytes(question: Question, *, repeated: bool = False) -> bytes:
    """Return the serialised PlayResponse that asks the question. StaleQuestionError."""
