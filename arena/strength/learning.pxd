from libc.stdint cimport int8_t, int16_t, int64_t, uint8_t, uint16_t, uint64_t

from core_ext.action_encoding cimport ActionEncoding
from core_ext.encoding cimport MAX_ACTIVE, Encoding
from core_ext.table cimport MAX_LEGAL, Deal
from core_ext.variant cimport Variant

from arena.strength.network cimport HIDDEN
from arena.strength.policy cimport Memory, Policy

cdef enum:
    MAX_STEPS = 1024        # of a deal that are learned from; no matching game has more
    MAX_ROWS = 1 << 18      # features of actions, of a deal's steps
    MAX_STEP_ROWS = 1 << 13 # of one step

# A decision of a deal: what was seen, what could be done, with which chances, and what came of it.
cdef struct Step:
    uint16_t active[MAX_ACTIVE]
    uint16_t legal[MAX_LEGAL]
    int rows[<int>MAX_LEGAL + 1]     # where the features of each action begin, and the last end
    float logit[MAX_LEGAL]
    float chance[MAX_LEGAL]
    float hidden[HIDDEN]
    float value
    float target
    float advantage
    int16_t active_count
    int16_t legal_count
    int16_t chosen
    int8_t seat


# Where each part of the network begins in an array of floats.
cdef struct Layout:
    int features
    int actions
    int bias
    int policy
    int policy_bias
    int value
    int value_bias
    int action_features
    int size


cdef Layout layout_of(int features, int actions, int action_features) noexcept


cdef class Table:
    cdef Variant rules
    cdef Encoding encoding
    cdef ActionEncoding action_encoding
    cdef Layout at
    cdef Deal deal
    cdef Policy rival                   # plays all seats but the learner's; None: the weights play every seat
    cdef Memory memory                  # of the rival
    cdef int learner
    cdef uint8_t key[32]
    cdef uint64_t rng
    cdef Step* steps
    cdef int step_count
    cdef uint16_t* rows                 # features of the actions of all steps
    cdef int row_count
    cdef float[::1] gradient
    cdef float[::1] weights
    cdef float[:, ::1] equities
    cdef double[:, ::1] reached         # match results by months left and lead
    cdef double[:, ::1] won
    cdef int marks[64][2]               # of the match so far: months left, and the lead of seat 0
    cdef int mark_count
    cdef float unit
    cdef float entropy
    cdef float trace
    cdef float by_equity
    cdef readonly int64_t decisions
    cdef readonly double gained         # squares of margins, for the record

    cdef void play_deals(self, int deals) noexcept nogil
    cdef void play_deal(self) noexcept nogil
    cdef int decide(self, const uint16_t* legal, int count) noexcept nogil
    cdef void learn_deal(self) noexcept nogil
    cdef void backward(self, const Step* step) noexcept nogil
    cdef float reward(self, int seat) noexcept nogil
    cdef float chance_to_win(self, int months_left, int64_t lead) noexcept nogil
    cdef void next_deal(self) noexcept nogil
    cdef void begin_match(self) noexcept nogil
    cdef void mark(self) noexcept nogil
    cdef int months_left(self) noexcept nogil
