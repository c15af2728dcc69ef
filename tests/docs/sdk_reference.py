"""Writes docs/sdk.md from the SDK's docstrings: `python tests/docs/sdk_reference.py`. A test holds the page to them."""

import ast
import inspect
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType, UnionType
from typing import get_args

import arena
from arena import sdk
from arena.playing.league import PlayedLeague, league
from arena.playing.match import PlayedDecision, PlayedMatch, play
from arena.playing.trial import MatchTest, match_test
from arena.sdk import koikoi_ai, testing

PAGE = Path(__file__).parents[2] / "docs" / "sdk.md"

IN_PROCESS = (play, PlayedMatch, PlayedDecision, match_test, MatchTest, league, PlayedLeague)
KOIKOI_AI = ["AgentBot", "AgentError", "Observation", "load_agent", "total", "yaku"]

HEAD = """# The Python SDK

What a bot's author imports, from its docstrings. [getting-started.md](getting-started.md) shows it at work. A bot:

```python
{example}
```

Run as a program, a bot takes `--address` and `--token`, or `ARENA_ADDRESS` and `ARENA_TOKEN`; `--help` lists the rest.
This page is written by `python tests/docs/sdk_reference.py`."""


def page() -> str:
    """The whole page."""
    example = inspect.cleandoc((sdk.__doc__ or "").partition("::")[2])
    parts = [HEAD.format(example=example), "## arena.sdk", *_members(sdk, sdk.__all__)]
    parts += ["## arena.sdk.testing", _text(testing.__doc__), *_members(testing, ["example_decision"])]
    parts += ["## arena.sdk.koikoi_ai", _text(koikoi_ai.__doc__), *_members(koikoi_ai, KOIKOI_AI)]
    parts += [
        "## arena",
        "In the arena's distribution, not in the SDK's alone.",
        _text(arena.__doc__).partition("\n\n")[2],
    ]
    for member in IN_PROCESS:
        parts += _member(member.__name__, member)
    return "\n\n".join(parts) + "\n"


def _members(module: ModuleType, names: Sequence[str]) -> Iterator[str]:
    for name in names:
        yield from _member(name, getattr(module, name))
    constants = [name for name in names if isinstance(getattr(module, name), (str, tuple, UnionType))]
    if constants:
        yield "### Constants"
        yield "\n".join(f"- `{name}`: {_constant(getattr(module, name))}" for name in constants)


def _member(name: str, member: object) -> Iterator[str]:
    """A class or a function; nothing of a constant."""
    if inspect.isclass(member):
        yield f"### {name}"
        yield _text(member.__doc__)
        yield from _class(member)
    elif inspect.isfunction(member):
        yield f"### {name}"
        (tree,) = ast.parse(inspect.getsource(member)).body
        assert isinstance(tree, ast.FunctionDef)
        yield f"`{_shown(tree)}`"
        yield _text(member.__doc__)


def _constant(value: object) -> str:
    if isinstance(value, tuple):
        return f"a tuple of {len(value)}, beginning with `{value[0]!r}`"
    plain = repr(value) if isinstance(value, str) else " | ".join(arg.__name__ for arg in get_args(value))
    return f"`{plain}`"


def _class(kind: type) -> Iterator[str]:
    """A class's attributes, properties and methods in the order of its source."""
    (tree,) = ast.parse(inspect.getsource(kind)).body
    assert isinstance(tree, ast.ClassDef)
    rows = []
    for node, following in zip(tree.body, [*tree.body[1:], None], strict=True):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            is_text = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
            text = f": {_line(str(following.value.value))}" if is_text else ""  # type: ignore[union-attr]
            if not node.target.id.startswith("_"):
                rows.append(f"- `{node.target.id}: {ast.unparse(node.annotation)}`{text}")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            rows.append(f"- `{_shown(node)}`: {_line(ast.get_docstring(node) or '')}")
    if rows:
        yield "\n".join(rows)


def _shown(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """A property as an attribute, a function with its arguments."""
    returns = ast.unparse(node.returns) if node.returns else "None"
    if any("property" in ast.unparse(one) for one in node.decorator_list):
        return f"{node.name}: {returns}"
    arguments = ast.unparse(node.args).removeprefix("self").removeprefix(", ")
    return f"{'async ' if isinstance(node, ast.AsyncFunctionDef) else ''}{node.name}({arguments}) -> {returns}"


def _text(docstring: str | None) -> str:
    """A docstring as Markdown: its paragraphs in one line each."""
    return "\n\n".join(_line(part) for part in inspect.cleandoc(docstring or "").split("\n\n"))


def _line(text: str) -> str:
    return " ".join(text.split())


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
