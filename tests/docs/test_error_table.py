"""The protocol's document names every reason, rejection, goodbye, message and card that there is."""

from pathlib import Path

import pytest

from arena.rpc.errors import Reason
from core_ext.cards import card_text
from hanafuda.arena.v1 import play_pb2

TEXT = (Path(__file__).parents[2] / "docs/protocol.md").read_text()
ERRORS = TEXT.partition("\n## Errors\n")[2]


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_is_documented_with_its_status(reason: Reason) -> None:
    row = next((line for line in ERRORS.splitlines() if f"`{reason.name}`" in line), "")
    assert row.split("|")[2].strip() == reason.code.name


@pytest.mark.parametrize("name", play_pb2.RejectionReason.keys()[1:] + play_pb2.GoodbyeReason.keys()[1:])
def test_every_rejection_and_goodbye_is_documented(name: str) -> None:
    short = name.removeprefix("REJECTION_REASON_").removeprefix("GOODBYE_REASON_")
    assert f"\n| `{short}` |" in TEXT


@pytest.mark.parametrize("oneof", [play_pb2.PlayRequest, play_pb2.PlayResponse])
def test_every_message_of_the_stream_is_documented(oneof: type) -> None:
    for field in oneof.DESCRIPTOR.fields:
        assert f"\n| `{field.message_type.name}` |" in TEXT


def test_the_table_of_cards_is_the_rules() -> None:
    for month in range(1, 13):
        row = next(line for line in TEXT.splitlines() if line.startswith(f"| {month} "))
        cells = [cell.split()[0] for cell in row.strip("|").split("|")[1:]]
        assert cells == [card_text(4 * (month - 1) + k) for k in range(4)]
