"""Moves read from their bytes."""

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

from arena import wire
from hanafuda.arena.v1 import play_pb2

NUMBERS = st.integers(0, 2**32 - 1)
MOVES = st.builds(play_pb2.Move, match_id=st.text(max_size=40), decision=NUMBERS, code=NUMBERS)


def fields(move: wire.Move | play_pb2.Move) -> tuple[str, int, int]:
    return move.match_id, move.decision, move.code


@given(MOVES)
def test_a_move_as_protobuf_writes_it_is_read(message):
    data = play_pb2.PlayRequest(move=message).SerializeToString()
    move = wire.decode_move(data)
    assert (move is None) == (len(data) > 129)
    assert move is None or fields(move) == fields(message)


@given(st.binary(max_size=12) | st.builds(lambda body: bytes([0x12, len(body), *body]), st.binary(max_size=20)))
def test_whatever_is_read_protobuf_reads_the_same(data):
    move = wire.decode_move(data)
    if move is not None:
        request = play_pb2.PlayRequest.FromString(data)
        assert request.WhichOneof("message") == "move"
        assert fields(move) == fields(request.move)


@given(MOVES, st.data())
def test_a_move_with_bytes_changed_is_never_misread(message, data):
    changed = bytearray(play_pb2.PlayRequest(move=message).SerializeToString())
    for place in data.draw(st.lists(st.integers(0, len(changed) - 1), max_size=3)):
        changed[place] = data.draw(st.integers(0, 255))
    changed = changed[: data.draw(st.integers(0, len(changed)))]
    move = wire.decode_move(bytes(changed))
    if move is not None:
        assert fields(move) == fields(play_pb2.PlayRequest.FromString(bytes(changed)).move)


def test_nothing_is_no_request():
    with pytest.raises(TypeError):
        wire.decode_move(None)


def test_text_that_is_no_text_is_left_to_protobuf_which_refuses_it():
    data = b"\x12\x03\x0a\x01\xff"
    assert wire.decode_move(data) is None
    with pytest.raises(DecodeError):
        play_pb2.PlayRequest.FromString(data)


@pytest.mark.parametrize("request_", [play_pb2.PlayRequest(), play_pb2.PlayRequest(drain=play_pb2.Drain())])
def test_what_is_no_move_is_left_to_protobuf(request_):
    assert wire.decode_move(request_.SerializeToString()) is None
