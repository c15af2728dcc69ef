"""docs/sdk.md is the SDK's docstrings, and names everything that the SDK exports."""

import inspect

from sdk_reference import PAGE, page

from arena import sdk


def test_the_reference_is_what_the_docstrings_say() -> None:
    assert PAGE.read_text("utf-8") == page(), "python tests/docs/sdk_reference.py writes it anew"


def test_the_reference_names_everything_that_the_sdk_exports() -> None:
    text = PAGE.read_text("utf-8")
    for name in sdk.__all__:
        member = getattr(sdk, name)
        shown = f"### {name}\n" if inspect.isclass(member) or inspect.isfunction(member) else f"`{name}`"
        assert shown in text, name
