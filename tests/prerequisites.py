"""What not every machine has, and some tests need."""

import os
from typing import NoReturn

import pytest


def not_run(reason: str) -> NoReturn:
    """Name the test as not run, with the reason; where CI is set it fails."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(f"not run: {reason}")
