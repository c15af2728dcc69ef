from arena.match.seat import Question

def encode_decision(question: Question, repeated: bool, is_response: bool) -> bytes:
    """The question's Decision, or with ``is_response`` the PlayResponse that holds it. StaleQuestionError."""
