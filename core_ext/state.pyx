# cython: language_level=3, boundscheck=False, wraparound=False
"""A match under way: the public verbs. They check and record; what an action does is the variant's."""
import hashlib
import struct

from core_ext.cards import parse_cards
from core_ext.errors import (
    DeckError, IllegalActionError, MatchOverError, NotationError, ObservationError, PackedChoicesError,
    SampledStateError, SeatsError,
)
from core_ext.observation import ALL, SPECTATOR
from core_ext.shuffle import parse_seed
from core_ext.variants.registry import VARIANTS, make, variant_info

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.list cimport PyList_New, PyList_SET_ITEM
from cpython.object cimport PyTypeObject, newfunc
from cpython.ref cimport Py_INCREF
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from core_ext.buffer cimport copied, grow
from core_ext.digest cimport digest, mix_in, running_hash
from core_ext.events cimport EventRow, Log, reserve, see_since, visible_events, write_events
from core_ext.packing cimport PackedChoices
from core_ext.rng cimport next64
from core_ext.table cimport PHASE_ENDED, PHASE_OVER, Deal
from core_ext.variant cimport Variant
from core_ext.views cimport look, mask_deal, observe, restore, sample
from core_ext.zones cimport View

cdef extern from "Python.h":
    Py_ssize_t PyNumber_AsSsize_t(object number, void* clip) except? -1

cdef enum:
    CODE_SIZE = 2

cdef int EVERYTHING = ALL
# Every code as a Python number, so that listing them makes none.
cdef list CODES = list(range(max(variant_info(variant).num_actions for variant in VARIANTS)))


cdef Variant rules_of(observation):
    """The rules of the match that an observation is of."""
    cdef Variant rules = make(observation.variant, observation.options, observation.seats)
    if observation.rules_version != rules.info.rules_version:
        raise ObservationError(
            f"the observation is of version {observation.rules_version} of {observation.variant}, "
            f"not {rules.info.rules_version}"
        )
    return rules


cdef int restore_deal(Variant rules, Deal* deal, observation, Log* log) except -1:
    """The masked deal that an observation was made of, and its events."""
    try:
        write_events(log, observation.events, rules.names, rules.seats)
        restore(rules, deal, observation, log)
    except (KeyError, OverflowError) as error:
        raise ObservationError(f"a number in the observation is missing or none of its kind: {error}") from error
    return 0


cdef bytes whole_deck(Variant rules, deck):
    """A deck, given as text or as ids, top first."""
    cards = parse_cards(deck) if isinstance(deck, str) else tuple(deck)
    if sorted(cards) != list(range(rules.cards)):
        raise DeckError(f"a deck of {rules.info.id} holds each of its {rules.cards} cards once")
    return bytes(cards)


@cython.final
cdef class DealRecord:
    """The events and codes of a finished deal."""

    def __dealloc__(self):
        free(self.log.rows)
        free(self.codes.items)


cdef list records(DealRecord last):
    """The deals up to this one, oldest first."""
    cdef list found = []
    while last is not None:
        found.append(last)
        last = last.previous
    found.reverse()
    return found


cdef inline int add_code(Codes* codes, uint16_t code) except -1:
    if codes.count == codes.capacity:
        grow(<void**>&codes.items, &codes.capacity, 32, CODE_SIZE)
    codes.items[CODE_SIZE * codes.count] = <uint8_t>code
    codes.items[CODE_SIZE * codes.count + 1] = <uint8_t>(code >> 8)
    codes.count += 1
    return 0


cdef inline bytes code_bytes(const Codes* codes):
    return (<const char*>codes.items)[: CODE_SIZE * codes.count]


@cython.final
@cython.freelist(64)
cdef class State:
    """A match: whose turn it is, what can be done, what has happened. Made by ``State.new``."""

    def __cinit__(self):
        self.legal_count = -1

    def __init__(self):
        raise TypeError("a State is made by State.new")

    def __dealloc__(self):
        free(self.log.rows)
        free(self.codes.items)

    @staticmethod
    def new(variant, options=None, seed=0, seats=None):
        cdef State state = State.__new__(State)
        cdef bytes key = parse_seed(seed)
        state.rules = make(variant, options, seats)
        state.seed = key
        memcpy(state.key, PyBytes_AS_STRING(key), 32)
        reserve(&state.log)
        state.rules.begin(&state.deal, state.key, &state.log)
        state.close_deals()
        return state

    @staticmethod
    def from_deck(variant, options, deck, int dealer=0, int month=1, int attempt=0, seats=None, following=()):
        cdef State state = State.__new__(State)
        state.rules = make(variant, options, seats)
        order = whole_deck(state.rules, deck)
        state.given = b"".join([whole_deck(state.rules, each) for each in following])
        if not 0 <= dealer < state.rules.seats:
            raise SeatsError(f"there is no seat {dealer} to deal")
        if not (1 <= month <= state.rules.last_month and 0 <= attempt <= state.rules.last_attempt):
            raise ValueError(f"there is no attempt {attempt} of month {month}")
        key = hashlib.sha256(b"hanafuda-arena/deck/1:" + order).digest()
        memcpy(state.key, PyBytes_AS_STRING(key), 32)
        reserve(&state.log)
        state.rules.begin_at(
            &state.deal, <const uint8_t*>PyBytes_AS_STRING(order), month, attempt, dealer, &state.log
        )
        state.close_deals()
        return state

    @staticmethod
    def from_observation(observation, rng_seed):
        cdef State state = State.__new__(State)
        cdef uint64_t rng = <uint64_t>(rng_seed & 0xFFFFFFFFFFFFFFFF)
        cdef uint64_t word
        cdef int i
        state.rules = rules_of(observation)
        restore_deal(state.rules, &state.deal, observation, &state.log)
        reserve(&state.log)
        for i in range(4):
            word = next64(&rng)
            memcpy(state.key + 8 * i, &word, 8)
        sample(state.rules, &state.deal, observation.seat, rng, &state.log)
        state.must_fit(observation)
        return state

    cdef int must_fit(self, observation) except -1:
        """A sampled state asks somebody unless it is over, and the observation's seat for just what it says."""
        cdef bint is_over = self.deal.phase == PHASE_OVER
        if is_over != (self.list_legal() == 0):
            raise ObservationError(f"nothing can be done in phase {observation.phase!r}")
        if observation.legal and (self.deal.asked != observation.seat or [*observation.legal] != self.legal_actions()):
            raise ObservationError("the legal actions are not those of the position")
        return 0

    # What it is

    @property
    def variant(self):
        return self.rules.info.id

    @property
    def rules_version(self):
        return self.rules.info.rules_version

    @property
    def seats(self):
        return self.rules.seats

    @property
    def options(self):
        return self.rules.options

    @property
    def current_player(self):
        return self.deal.asked

    @property
    def is_over(self):
        return self.deal.phase == PHASE_OVER

    @property
    def month(self):
        return self.deal.month

    @property
    def attempt(self):
        return self.deal.attempt

    @property
    def dealer(self):
        return self.deal.dealer

    # What can be done

    cdef int list_legal(self) noexcept nogil:
        if self.legal_count < 0:
            self.legal_count = self.rules._legal(&self.deal, self.legal)
        return self.legal_count

    def legal_actions(self):
        cdef int count = self.list_legal()
        cdef list codes = PyList_New(count)
        cdef int i
        for i in range(count):
            code = CODES[self.legal[i]]
            Py_INCREF(code)
            PyList_SET_ITEM(codes, i, code)
        return codes

    def legal_texts(self):
        cdef int i
        texts = self.rules.info.actions
        return [texts[self.legal[i]] for i in range(self.list_legal())]

    def action_text(self, code):
        if isinstance(code, int) and 0 <= code < len(self.rules.info.actions):
            return self.rules.info.actions[code]
        raise NotationError(f"{self.variant} has no action {code!r}")

    def parse_action(self, text):
        try:
            return self.rules.codes[text]
        except KeyError:
            raise NotationError(f"{text!r} is not an action of {self.variant}") from None

    def apply(self, action):
        self.apply_code(PyNumber_AsSsize_t(action, NULL))

    def apply_all(self, actions):
        if isinstance(actions, bytes):
            if len(actions) % CODE_SIZE:
                raise ValueError("codes as bytes are two bytes each, little-endian")
            actions = code_numbers(actions)
        for action in actions:
            self.apply_code(PyNumber_AsSsize_t(action, NULL))

    def apply_choices(self, bytes choices not None):
        cdef const uint8_t* raw = <const uint8_t*>PyBytes_AS_STRING(choices)
        cdef Py_ssize_t i
        for i in range(PyBytes_GET_SIZE(choices)):
            self.apply_choice(i, raw[i])

    def pack_choices(self, bytes choices not None):
        cdef const uint8_t* raw = <const uint8_t*>PyBytes_AS_STRING(choices)
        cdef PackedChoices packed = PackedChoices()
        cdef uint64_t positions = mix_in(0, &self.deal)
        cdef Py_ssize_t i
        cdef int legal
        before = len(self.all_codes())
        for i in range(PyBytes_GET_SIZE(choices)):
            legal = self.list_legal()
            self.apply_choice(i, raw[i])
            packed.add(raw[i], legal)
            positions = mix_in(positions, &self.deal)
        return packed.finish(), running_hash(self.rules, self.seed or self.given, self.all_codes()[before:], positions)

    def apply_packed(self, bytes packed not None, Py_ssize_t decisions):
        cdef PackedChoices again = PackedChoices()
        cdef uint64_t positions = mix_in(0, &self.deal)
        cdef bytearray choices = bytearray()
        cdef Py_ssize_t i
        cdef int choice
        before = len(self.all_codes())
        for i in range(decisions):
            choice = again.read(packed, self.list_legal()) if self.list_legal() else 0
            self.apply_choice(i, choice)
            choices.append(choice)
            positions = mix_in(positions, &self.deal)
        if again.finish() != packed:
            raise PackedChoicesError(f"the {len(packed)} bytes given are not what their {decisions} choices are packed as")
        codes = self.all_codes()[before:]
        return bytes(choices), running_hash(self.rules, self.seed or self.given, codes, positions)

    cdef int apply_choice(self, Py_ssize_t number, int choice) except -1:
        if choice < self.list_legal():
            return self.apply_legal(self.legal[choice])
        if self.deal.phase == PHASE_OVER:
            raise MatchOverError(f"the match is over after {number} choices")
        raise IllegalActionError(choice, f"choice {number} is index {choice} of {self.legal_count} legal actions")

    cdef int apply_code(self, Py_ssize_t code) except -1:
        cdef int count = self.list_legal()
        cdef int i
        for i in range(count):
            if self.legal[i] == code:
                break
        else:
            self.refuse(code)
        return self.apply_legal(<uint16_t>code)

    cdef int apply_legal(self, uint16_t code) except -1:
        reserve(&self.log)
        add_code(&self.codes, code)
        self.legal_count = -1
        self.rules._apply(&self.deal, self.key, code, &self.log)
        if self.deal.phase == PHASE_ENDED:
            self.close_deals()
        return 0

    cdef int refuse(self, Py_ssize_t code) except -1:
        if self.deal.phase == PHASE_OVER:
            raise MatchOverError("the match is over")
        actions = self.rules.info.actions
        text = f"{actions[code]} ({code})" if 0 <= code < len(actions) else str(code)
        raise IllegalActionError(code, f"{text} is not legal now; legal is {' '.join(self.legal_texts())}")

    cdef int close_deals(self) except -1:
        """Record deals that have ended and deal the next, until somebody is asked or the match is over."""
        cdef DealRecord record
        while self.deal.phase == PHASE_ENDED:
            if self.rules._is_last(&self.deal):
                self.rules.end_match(&self.deal, &self.log)
                break
            record = DealRecord.__new__(DealRecord)
            record.first_event = self.first_event()
            record.previous = self.past
            record.log = self.log
            record.codes = self.codes
            self.past = record
            memset(&self.log, 0, sizeof(Log))
            memset(&self.codes, 0, sizeof(Codes))
            reserve(&self.log)
            if self.given:
                self.rules.next_deal(&self.deal, self.key, <const uint8_t*>PyBytes_AS_STRING(self.given), &self.log)
                self.given = self.given[self.rules.cards:]
            else:
                self.rules.next_deal(&self.deal, self.key, NULL, &self.log)
        return 0

    def clone(self):
        cdef State copy = State.__new__(State)
        copy.rules = self.rules
        copy.seed = self.seed
        copy.given = self.given
        copy.past = self.past
        copy.key = self.key
        copy.deal = self.deal
        copy.log.rows = <EventRow*>copied(self.log.rows, self.log.count, &copy.log.capacity, sizeof(EventRow))
        copy.log.count = self.log.count
        copy.codes.items = <uint8_t*>copied(self.codes.items, self.codes.count, &copy.codes.capacity, CODE_SIZE)
        copy.codes.count = self.codes.count
        return copy

    # What it is worth

    def balances(self):
        cdef int seat
        return tuple([self.deal.balance[seat] for seat in range(self.rules.seats)])

    def returns(self):
        cdef int64_t results[4]
        cdef int seat
        if self.deal.phase != PHASE_OVER:
            return self.balances()
        self.rules._results(&self.deal, results)
        return tuple([results[seat] for seat in range(self.rules.seats)])

    def placing(self):
        results = self.returns()
        return tuple([1 + sum([other > result for other in results]) for result in results])

    # What is seen

    def observation(self, int seat, int since=0):
        if not 0 <= seat < self.rules.seats:
            raise SeatsError(f"there is no seat {seat}")
        return self.view(seat, max(0, since))

    def spectate(self):
        return self.view(SPECTATOR, 0)

    cdef void see(self, int seat, View* view) noexcept nogil:
        """What the seat knows of the table now."""
        cdef Deal masked
        cdef uint8_t phase
        mask_deal(self.rules, &self.deal, &masked, seat)
        look(self.rules, &masked, view)
        self.rules._public_phase(&self.deal, &phase, &view.turn)

    cdef object view(self, int seat, int since):
        cdef View view
        self.see(seat, &view)
        legal = tuple(self.legal_actions()) if seat >= 0 and seat == self.deal.asked else ()
        events = visible_events(&self.log, max(0, since - self.first_event()), seat, self.rules.names)
        return observe(self.rules, &view, seat, legal, events)

    def determinize(self, int seat, rng_seed):
        return State.from_observation(self.observation(seat), rng_seed)

    cdef int first_event(self) noexcept:
        """The number of the current deal's first event, counted over the match."""
        return 0 if self.past is None else self.past.first_event + self.past.log.count

    @property
    def event_count(self):
        return self.first_event() + self.log.count

    def events(self, int seat, int since=0):
        cdef DealRecord record
        if not EVERYTHING <= seat < self.rules.seats:
            raise SeatsError(f"there is no seat {seat}")
        since = max(0, since)
        seen = []
        for record in records(self.past):
            if record.first_event + record.log.count > since:
                seen.extend(visible_events(&record.log, max(0, since - record.first_event), seat, self.rules.names))
        seen.extend(visible_events(&self.log, max(0, since - self.first_event()), seat, self.rules.names))
        return tuple(seen)

    cdef int recall(self, int seat, int since, Log* seen) except -1:
        """Append the events from number ``since`` of the match on, as the seat may see them."""
        cdef DealRecord record
        if since < self.first_event():
            for record in records(self.past):
                if record.first_event + record.log.count > since:
                    see_since(&record.log, max(0, since - record.first_event), seat, seen)
        return see_since(&self.log, max(0, since - self.first_event()), seat, seen)

    # What is left of it

    def actions(self):
        self.must_be_dealt("actions")
        return list(code_numbers(self.all_codes()))

    cdef bytes all_codes(self):
        cdef DealRecord record
        cdef list parts = []
        for record in records(self.past):
            parts.append(code_bytes(&record.codes))
        return b"".join(parts) + code_bytes(&self.codes)

    cdef int must_be_dealt(self, what) except -1:
        if self.seed is None:
            raise SampledStateError(f"a state that was not dealt from a seed has no {what}")
        return 0

    def transcript(self, legal=False):
        from core_ext.transcript import write_transcript  # it is written on State

        self.must_be_dealt("transcript")
        return write_transcript(self, legal)

    def state_hash(self):
        return digest(self.rules, &self.deal, self.seed or self.given)


cdef tuple code_numbers(bytes codes):
    return struct.unpack(f"<{len(codes) // CODE_SIZE}H", codes)


cdef object refuse_new(kind, arguments, keywords):
    raise TypeError("a State is made by State.new")


# What Python calls as State.__new__: without rules and a deal a state would read beyond its memory.
(<PyTypeObject*>State).tp_new = <newfunc>refuse_new
