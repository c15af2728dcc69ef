"""Text of bots and paths without the characters that could steer the terminal in which it is shown."""

_LAST_LINES = 12
_MAX_LINE_LENGTH = 160


def printable(text: str) -> str:
    """The text without its unprintable characters, among them those that end a line."""
    return "".join(filter(str.isprintable, text))


def last_lines(output: bytes) -> str:
    """The last lines of what a program wrote, in UTF-8; each is made printable, and cut where it is long."""
    lines = output.decode("utf-8", "replace").splitlines()[-_LAST_LINES:]
    return "\n".join(_cut(printable(line.expandtabs(4))) for line in lines).strip()


def _cut(line: str) -> str:
    return line if len(line) <= _MAX_LINE_LENGTH else f"{line[: _MAX_LINE_LENGTH - 1]}…"
