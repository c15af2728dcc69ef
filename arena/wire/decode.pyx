# cython: language_level=3, boundscheck=False, wraparound=False
"""Moves read from their bytes: nearly all that bots send."""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from arena.wire.fields cimport MOVE_CODE_TAG, MOVE_DECISION_TAG, MOVE_MATCH_ID_TAG, PLAY_REQUEST_MOVE_TAG

cdef enum:
    MAX_LENGTH = 127    # of what takes one byte to say how long it is


@cython.final
@cython.freelist(64)
cdef class Move:
    """What a bot answers to a decision: the fields of the message of this name."""


def decode_move(bytes request not None):
    return read_move(<const uint8_t*>PyBytes_AS_STRING(request), PyBytes_GET_SIZE(request))


cdef Move read_move(const uint8_t* at, Py_ssize_t size):
    """The Move of a serialised PlayRequest, if it is one that protobuf wrote; else None: protobuf has to say."""
    cdef const uint8_t* end = at + size
    cdef Move move
    if size < 2 or size > MAX_LENGTH + 2 or at[0] != PLAY_REQUEST_MOVE_TAG or at[1] != size - 2:
        return None
    at += 2
    move = Move.__new__(Move)
    move.match_id = ""
    if at < end and at[0] == MOVE_MATCH_ID_TAG:
        if end - at < 2 or at[1] > end - at - 2:
            return None
        try:
            move.match_id = PyUnicode_DecodeUTF8(<const char*>at + 2, at[1], NULL)
        except UnicodeDecodeError:
            return None
        at += 2 + at[1]
    if at < end and at[0] == MOVE_DECISION_TAG:
        at = read_number(at + 1, end, &move.decision)
    if at != NULL and at < end and at[0] == MOVE_CODE_TAG:
        at = read_number(at + 1, end, &move.code)
    return move if at == end else None


cdef const uint8_t* read_number(const uint8_t* at, const uint8_t* end, uint32_t* number) noexcept:
    """Read a 32-bit number; return where it ends, or NULL where there is none, or not all of it."""
    cdef uint64_t value = 0
    cdef int i
    for i in range(MAX_VARINT):
        if at + i >= end:
            return NULL
        value |= <uint64_t>(at[i] & 0x7F) << 7 * i
        if at[i] < 0x80:
            number[0] = <uint32_t>value
            return at + i + 1 if value <= 0xFFFFFFFF else NULL
    return NULL
