"""A match's mistakes and luck on its page: worked out when a reader asks for it, one match at a time, and kept."""
