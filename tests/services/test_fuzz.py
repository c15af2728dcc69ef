"""Whatever a message holds, no method fails: the short form of `fuzz_rpcs.py`."""

from pathlib import Path

import pytest
from fuzz_rpcs import fuzz

from arena.rpc import call_rates


@pytest.mark.parametrize("seed", [11, 12])
async def test_no_mutation_of_a_message_makes_a_node_fail_or_write_a_traceback(
    tmp_path: Path, short_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(call_rates, "CALLS_AT_ONCE", 10**9)
    outcome, errors = await fuzz(tmp_path, short_path, 2_000, seed)
    assert outcome.failures == []
    assert errors.tracebacks == []
    assert errors.bytes < 100_000
    assert {"OK", "UNAUTHENTICATED", "INVALID_ARGUMENT", "NOT_FOUND", "PERMISSION_DENIED"} <= outcome.codes.keys()
