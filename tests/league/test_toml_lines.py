"""The line of every key in any TOML document."""

import tomllib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from arena.league.toml_lines import line_of

DOCUMENT = '''\
plain = 1
"quoted key" = "a # no comment, no ] and no }"
'literal.key' = 'a "quote"'
text = """
first = "no key"
\\""" [no.header]
""""
raw = \'\'\'
second = 1
\'\'\'
list = [ # a comment with ]
  1, [2,
  3], "x",
  { a = 1, b.c = { d = [4] } },
]

a.b = 1979-05-27 07:32:00Z
  indented = inf

[table] # [not this]
key = 1
[table . sub]
key = 2
[[rows]]
name = "first"
[rows.deep]
x = 1
[[rows]]
name = "second"
[rows.deep]
x = 1
'''


def test_every_key_is_found_on_its_line() -> None:
    document = tomllib.loads(DOCUMENT)
    lines: dict[tuple[str | int, ...], int] = {
        ("plain",): 1,
        ("quoted key",): 2,
        ("literal.key",): 3,
        ("text",): 4,
        ("raw",): 8,
        ("list",): 11,
        ("list", 0): 12,
        ("list", 1): 12,
        ("list", 1, 0): 12,
        ("list", 1, 1): 13,
        ("list", 2): 13,
        ("list", 3): 14,
        ("list", 3, "a"): 14,
        ("list", 3, "b"): 14,
        ("list", 3, "b", "c"): 14,
        ("list", 3, "b", "c", "d"): 14,
        ("list", 3, "b", "c", "d", 0): 14,
        ("a",): 17,
        ("a", "b"): 17,
        ("indented",): 18,
        ("table",): 20,
        ("table", "key"): 21,
        ("table", "sub"): 22,
        ("table", "sub", "key"): 23,
        ("rows",): 24,
        ("rows", 0): 24,
        ("rows", 0, "name"): 25,
        ("rows", 0, "deep"): 26,
        ("rows", 0, "deep", "x"): 27,
        ("rows", 1): 28,
        ("rows", 1, "name"): 29,
        ("rows", 1, "deep"): 30,
        ("rows", 1, "deep", "x"): 31,
    }
    assert {path: line_of(DOCUMENT, path) for path in lines} == lines
    assert paths(document) == lines.keys()


def paths(value: Any, path: tuple[str | int, ...] = ()) -> set[tuple[str | int, ...]]:
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return {path} - {()} | {found for key, part in parts for found in paths(part, (*path, key))}


values = st.recursive(
    st.integers() | st.booleans() | st.text(st.characters(exclude_categories=["C"]), max_size=8),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.text("ab.#\"'=]", max_size=3), parts, max_size=3),
    max_leaves=8,
)


def written(value: object, path: tuple[str | int, ...], line: int, lines: dict[tuple[str | int, ...], int]) -> str:
    """A value as TOML has it, from this line on, and the lines of all that is in it."""
    lines[path] = line
    if isinstance(value, dict | list):
        text, opened, between = "", "{", ", "
        if isinstance(value, list):
            text, opened, between = "\n", "[", ",\n"
        for number, (key, part) in enumerate(value.items() if isinstance(value, dict) else enumerate(value)):
            text += between if number else ""
            text += f"{written_text(key)} = " if isinstance(value, dict) else ""
            text += written(part, (*path, key), line + text.count("\n"), lines)
        return opened + text + ("}" if opened == "{" else "\n]")
    if isinstance(value, bool):
        return "true" if value else "false"
    return written_text(value) if isinstance(value, str) else str(value)


def written_text(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


@given(st.dictionaries(st.text("abc-_", min_size=1, max_size=3), values, max_size=4))
def test_a_key_of_any_document_is_found_on_its_line(document: dict[str, Any]) -> None:
    text, lines = "", {}
    for key, value in document.items():
        text += f"{key} = {written(value, (key,), text.count(chr(10)) + 1, lines)}  # = [x]\n"
    assert lines.keys() == paths(tomllib.loads(text))
    last = text.count("\n")
    for path, line in lines.items():
        found = line_of(text, path)
        assert found == line if max(map(len, lines)) <= 3 else line <= found <= last


def test_a_text_of_several_lines_begins_where_its_key_stands() -> None:
    text = "a = [\n  { b = \"\"\"x\ny\"\"\" },\n  '''z\n''',\n]"
    assert [line_of(text, path) for path in (("a",), ("a", 0, "b"), ("a", 1))] == [1, 2, 4]
