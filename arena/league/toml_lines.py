"""Where each key of a TOML document stands: `tomllib` gives values without lines."""

import re
import tomllib

Path = tuple[str | int, ...]

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR = re.compile(r"[^,\]}#\r\n]*")
_STRINGS = (
    re.compile(r'"""(?:\\.|[^\\])*?"{3,5}', re.DOTALL),
    re.compile(r"'''.*?'{3,5}", re.DOTALL),
    re.compile(r'"(?:\\.|[^"\\\n])*"'),
    re.compile(r"'[^'\n]*'"),
)


def key_lines(text: str) -> dict[Path, int]:
    """The line (from 1) of every key, table header and array element of a document that `tomllib` accepts.

    A path is the keys from the root down, with an index where an array is entered: `("entries", 2, "bot")`.
    A key met more than once, as a table and its sub-tables may be, keeps its first line.
    """
    return _Walk(text).document()


class _Walk:
    """One pass over a valid document; values are stepped over, not read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[Path, int] = {}
        self.tables: dict[Path, int] = {}  # how many elements an array of tables has so far

    def document(self) -> dict[Path, int]:
        table: Path = ()
        self._skip(_BLANK)
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                table = self._header()
            else:
                self._pair(table)
            self._skip(_BLANK)
        return self.lines

    def _skip(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.at)
        if match is None:
            return ""
        self.at = match.end()
        return match.group()

    def _note(self, path: Path, at: int) -> None:
        for length in range(1, len(path) + 1):
            self.lines.setdefault(path[:length], self.text.count("\n", 0, at) + 1)

    def _header(self) -> Path:
        start = self.at
        is_array = self.text.startswith("[[", self.at)
        brackets = 2 if is_array else 1
        self.at += brackets
        keys = self._key()
        self.at += brackets
        path = self._resolve(keys)
        if is_array:
            index = self.tables.get(path, 0)
            self.tables[path] = index + 1
            path = (*path, index)
        self._note(path, start)
        return path

    def _resolve(self, keys: tuple[str, ...]) -> Path:
        """The path of a header: below an array of tables it means the array's last element."""
        path: Path = ()
        for depth, key in enumerate(keys, start=1):
            path = (*path, key)
            if depth < len(keys) and path in self.tables:
                path = (*path, self.tables[path] - 1)
        return path

    def _key(self) -> tuple[str, ...]:
        keys: list[str] = []
        while True:
            self._skip(_SPACE)
            if self.text[self.at] in "\"'":
                quoted = self._string()
                keys.append(tomllib.loads(f"key = {quoted}")["key"])
            else:
                keys.append(self._skip(_BARE_KEY))
            self._skip(_SPACE)
            if self.text[self.at] != ".":
                return tuple(keys)
            self.at += 1

    def _pair(self, table: Path) -> None:
        start = self.at
        path = (*table, *self._key())
        self._note(path, start)
        self.at += 1  # the equals sign
        self._skip(_SPACE)
        self._value(path)

    def _value(self, path: Path) -> None:
        match self.text[self.at]:
            case '"' | "'":
                self._string()
            case "[":
                self._elements(path, "]")
            case "{":
                self._elements(path, "}")
            case _:
                self._skip(_SCALAR)

    def _elements(self, path: Path, close: str) -> None:
        self.at += 1
        index = 0
        while True:
            self._skip(_BLANK)
            if self.text[self.at] == close:
                self.at += 1
                return
            if self.text[self.at] == ",":
                self.at += 1
                continue
            if close == "}":
                self._pair(path)
            else:
                self._note((*path, index), self.at)
                self._value((*path, index))
                index += 1

    def _string(self) -> str:
        for pattern in _STRINGS:
            if text := self._skip(pattern):
                return text
        raise AssertionError("a document that tomllib accepts closes its strings")
