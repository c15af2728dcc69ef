def parse_seed(seed: str | int | bytes) -> bytes:
    """The 32 bytes of a match's seed.

    32 bytes, or a text of 64 hex digits, are the seed itself; any other text, and a number's decimal text, is hashed.
    SeedError when it is empty or of another form.
    """

def keystream(seed: str | int | bytes, month: int, attempt: int, purpose: int, n: int) -> bytes:
    """The first n bytes of the ChaCha20 keystream (RFC 8439) of a seed, for a month, an attempt and a purpose."""

def deck(seed: str | int | bytes, month: int, attempt: int, cards: int = 48) -> tuple[int, ...]:
    """The shuffled deck of a month's attempt, top first; it holds the first ``cards`` ids.

    Month 0, attempt 0 is the deck from which the seats draw for the first deal.
    """
