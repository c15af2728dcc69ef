# cython: language_level=3, boundscheck=False, wraparound=False
"""Many games stepped at once, for learning."""
from core_ext.errors import IllegalActionError
from core_ext.variants.registry import make

cimport cython
from cpython.buffer cimport (
    PyBUF_C_CONTIGUOUS, PyBUF_FORMAT, PyBUF_WRITABLE, Py_buffer, PyBuffer_Release, PyObject_GetBuffer,
)
from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from core_ext.rng cimport choose, next64
from core_ext.table cimport MAX_LEGAL, MAX_SEATS, PHASE_ENDED, PHASE_OVER, Deal
from core_ext.team cimport Team, team_begin, team_do, team_end, team_is_ours, team_work
from core_ext.tensors cimport CARDS, Layout, write_tensors
from core_ext.variant cimport Variant

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>

    /* Of several threads, which raise it alone. */
    static inline void hanafuda_raise_flag(int *flag) { __atomic_store_n(flag, 1, __ATOMIC_RELAXED); }

    typedef int16_t hanafuda_codes __attribute__((vector_size(16)));
    typedef uint64_t hanafuda_pair __attribute__((vector_size(16)));

    /* Whether an action is among the first codes, so many of them, or 16. Without a branch: where it stands could not be
       foreseen. */
    static inline int hanafuda_is_among(const uint16_t *legal, int count, int64_t action)
    {
        const hanafuda_codes places = {0, 1, 2, 3, 4, 5, 6, 7};
        hanafuda_codes first, second;
        hanafuda_pair found;
        memcpy(&first, legal, 16);
        memcpy(&second, legal + 8, 16);
        first = (first == (int16_t)action) & (places < (int16_t)count);
        second = (second == (int16_t)action) & (places < (int16_t)(count - 8));
        found = (hanafuda_pair)(first | second);
        return ((found[0] | found[1]) != 0) & ((uint64_t)action <= INT16_MAX);
    }
    """
    void fetch "__builtin_prefetch"(const void* place, int to_write, int locality) noexcept nogil
    void raise_flag "hanafuda_raise_flag"(int* flag) noexcept nogil
    bint is_among "hanafuda_is_among"(const uint16_t* legal, int count, int64_t action) noexcept nogil


cdef enum:
    AT_ONCE = 16        # codes that are looked at and copied at once; few decisions have more
    MAX_GAMES = 1 << 20
    MAX_THREADS = 64
    PARTS = 8           # that the games are shared out by, for each thread


cdef class Opponent:
    """Plays at random."""

    cdef int pick(self, const Deal* deal, const uint16_t* legal, int count, uint64_t* rng) noexcept nogil:
        return choose(rng, count)


@cython.final
cdef class Array:
    """An array of the caller's, held as long as it is written into."""

    cdef Py_buffer buffer
    cdef char* data

    def __cinit__(self, array, what, format, tuple shape, bint writable=True):
        cdef int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (PyBUF_WRITABLE if writable else 0)
        try:
            PyObject_GetBuffer(array, &self.buffer, flags)
        except TypeError:
            raise TypeError(f"{what} must be an array, not {type(array).__name__}") from None
        except (BufferError, ValueError) as error:
            raise ValueError(f"{what} must be {'writable and ' if writable else ''}C-contiguous: {error}") from None
        self.data = <char*>self.buffer.buf
        found = tuple([self.buffer.shape[i] for i in range(self.buffer.ndim)])
        kind = self.buffer.format.decode() if self.buffer.format != NULL else "B"
        # a 64-bit number is called l or q, by platform
        if kind.replace("q", "l") != format:
            raise TypeError(f"{what} must have the format {format!r}, not {kind!r}")
        if found != shape:
            raise ValueError(f"{what} must have the shape {shape}, not {found}")

    def __dealloc__(self):
        PyBuffer_Release(&self.buffer)


@cython.final
cdef class Games:
    """Many games of one variant, stepped at once in C; what is seen of them is written into the caller's arrays."""

    cdef Variant rules
    cdef Layout layout
    cdef Game* games
    cdef readonly int count
    cdef readonly int seats
    cdef readonly int actions
    cdef readonly int threads
    cdef int64_t start          # the balance of a seat when a match begins
    cdef double unit            # of the results, in balances
    cdef int learner            # -1: every seat is asked
    cdef Opponent opponent
    cdef Team* team             # NULL: there is one thread
    cdef int64_t* codes         # the actions of the step or the drawing under way; NULL: the games begin
    cdef int is_refused         # whether one of them is illegal
    cdef list arrays
    cdef bint is_begun
    cdef uint8_t* planes
    cdef float* numbers
    cdef int8_t* mask           # NULL: not wanted
    cdef uint16_t* legal        # NULL: not wanted
    cdef uint8_t* legal_counts
    cdef int8_t* asked
    cdef double* rewards
    cdef double* reward
    cdef uint8_t* done
    cdef uint8_t* final_planes
    cdef float* final_numbers

    def __init__(self, variant, options, seats, int count, Layout layout not None, learner=None, int threads=1, Opponent opponent=None):
        self.rules = make(variant, options, seats)
        self.seats = self.rules.seats
        self.actions = self.rules.info.num_actions
        self.layout = layout
        if layout.seats != self.seats:
            raise ValueError(f"the layout is for {layout.seats} seats, not {self.seats}")
        if not 1 <= count <= MAX_GAMES:
            raise ValueError(f"1 to {MAX_GAMES} games can be stepped at once, not {count}")
        if not 1 <= threads <= MAX_THREADS:
            raise ValueError(f"1 to {MAX_THREADS} threads can be used, not {threads}")
        if learner is not None and not 0 <= learner < self.seats:
            raise ValueError(f"there is no seat {learner} for the learner")
        if self.games != NULL:
            raise TypeError("games are made once")
        self.games = <Game*>calloc(count, sizeof(Game))
        if self.games == NULL:
            raise MemoryError
        self.count = count
        self.start = self.rules.info.starting_balance
        self.unit = self.rules.info.unit
        self.learner = -1 if learner is None else learner
        self.opponent = Opponent() if opponent is None else opponent
        self.threads = min(threads, count)
        self.begin_team()

    cdef int begin_team(self) except -1:
        cdef int part = max(1, self.count // (PARTS * self.threads))
        if self.threads > 1:
            self.team = team_begin(self.threads - 1, self.count, part)
            if self.team == NULL:
                raise RuntimeError(f"{self.threads} threads cannot be started")
        return 0

    def __dealloc__(self):
        team_end(self.team)
        free(self.games)

    @property
    def options(self):
        return self.rules.options

    def bind(
        self, planes, numbers, mask, legal, legal_counts, seats, reward, rewards, done, final_planes, final_numbers
    ):
        cdef int count = self.count
        held = [
            Array(planes, "planes", "B", (count, self.layout.planes, CARDS)),
            Array(numbers, "numbers", "f", (count, self.layout.numbers)),
            Array(legal_counts, "legal_counts", "B", (count,)),
            Array(seats, "seats", "b", (count,)),
            Array(rewards, "rewards", "d", (count, self.seats)),
            Array(done, "done", "B", (count,)),
            Array(reward, "reward", "d", (count,)),
            Array(final_planes, "final_planes", "B", (count, self.layout.planes, CARDS)),
            Array(final_numbers, "final_numbers", "f", (count, self.layout.numbers)),
            None if mask is None else Array(mask, "mask", "b", (count, self.actions)),
            None if legal is None else Array(legal, "legal", "H", (count, MAX_LEGAL)),
        ]
        self.arrays = held
        self.planes = <uint8_t*>(<Array>held[0]).data
        self.numbers = <float*>(<Array>held[1]).data
        self.legal_counts = <uint8_t*>(<Array>held[2]).data
        self.asked = <int8_t*>(<Array>held[3]).data
        self.rewards = <double*>(<Array>held[4]).data
        self.done = <uint8_t*>(<Array>held[5]).data
        self.reward = <double*>(<Array>held[6]).data
        self.final_planes = <uint8_t*>(<Array>held[7]).data
        self.final_numbers = <float*>(<Array>held[8]).data
        self.mask = NULL if mask is None else <int8_t*>(<Array>held[9]).data
        self.legal = NULL if legal is None else <uint16_t*>(<Array>held[10]).data

    def reset(self, seed):
        cdef uint64_t rng = <uint64_t>(seed & 0xFFFFFFFFFFFFFFFF)
        cdef int i
        if self.arrays is None:
            raise RuntimeError("the games have no arrays to write into: bind them first")
        for i in range(self.count):
            self.games[i].rng = next64(&rng)
            self.games[i].number = -1
        for i in range(self.count):
            self.games[i].sampling = next64(&rng)
        self.is_begun = True
        self.codes = NULL
        self.spread(<team_work><void*>step_part)

    def step(self, actions):
        cdef Array given = Array(actions, "actions", "l", (self.count,), False)
        if not self.is_begun:
            raise RuntimeError("the games have not begun: reset them first")
        self.codes = <int64_t*>given.data
        self.is_refused = False
        self.spread(<team_work><void*>check_part)
        if self.is_refused:
            self.refuse(first_illegal(self, 0, self.count))
        self.spread(<team_work><void*>step_part)
        return ended(self)

    cdef int refuse(self, int i) except -1:
        cdef int64_t action = self.codes[i]
        texts = self.rules.info.actions
        legal = " ".join([f"{texts[code]} ({code})" for code in self.games[i].legal[: self.games[i].legal_count]])
        text = f"{texts[action]} ({action})" if 0 <= action < self.actions else str(action)
        raise IllegalActionError(action, f"{text} is not legal in game {i}; legal is {legal}")

    cdef int spread(self, team_work work) except -1:
        """Does this with all games, shared out between the threads."""
        if self.threads > 1 and not team_is_ours(self.team):     # after a fork
            team_end(self.team)
            self.team = NULL
            self.begin_team()
        with nogil:
            if self.team == NULL:
                work(<void*>self, 0, self.count)
            else:
                team_do(self.team, work, <void*>self)
        return 0

    def sample(self, actions):
        cdef Array given = Array(actions, "actions", "l", (self.count,))
        if not self.is_begun:
            raise RuntimeError("the games have not begun: reset them first")
        self.codes = <int64_t*>given.data
        self.spread(<team_work><void*>draw_part)

    def seed(self, int index):
        return (<char*>self.game(index).key)[:32]

    cdef Game* game(self, int index) except NULL:
        if not 0 <= index < self.count or not self.is_begun:
            raise IndexError(f"there is no game {index}")
        return &self.games[index]


cdef inline void fetch_all(const void* start, int size) noexcept nogil:
    """Begins to bring what lies there into the processor's cache, line by line."""
    cdef int i
    for i in range(0, size, 64):
        fetch(<const char*>start + i, 1, 3)


cdef void draw_part(Games self, int first, int end) noexcept nogil:
    """Draws a legal action of some of the games."""
    cdef Game* game
    cdef int i
    for i in range(first, end):
        game = &self.games[i]
        self.codes[i] = game.legal[choose(&game.sampling, game.legal_count)]


cdef void check_part(Games self, int first, int end) noexcept nogil:
    """Looks whether the actions of some of the games are legal."""
    if first_illegal(self, first, end) >= 0:
        raise_flag(&self.is_refused)


cdef void step_part(Games self, int first, int end) noexcept nogil:
    """Steps some of the games."""
    cdef int size = self.layout.planes * CARDS
    cdef int i
    for i in range(first, end):
        if i + 1 < end:
            fetch_all(&self.games[i + 1], sizeof(Game))
            fetch_all(self.planes + <int64_t>(i + 1) * size, size)
            if self.mask != NULL:
                fetch_all(self.mask + <int64_t>(i + 1) * self.actions, self.actions)
        if self.codes == NULL:
            begin(self, i)
            self.done[i] = 0
        else:
            play(self, i, <int>self.codes[i])
        write(self, i)


cdef int first_illegal(Games self, int first, int end) noexcept nogil:
    """The first of some games whose action is not legal, -1 when all are."""
    cdef const Game* game
    cdef int i, j
    cdef bint found
    for i in range(first, end):
        game = &self.games[i]
        found = False
        j = 0
        while j < game.legal_count:
            found |= is_among(game.legal + j, game.legal_count - j, self.codes[i])
            j += AT_ONCE
        if not found:
            return i
    return -1


cdef int ended(Games self) noexcept nogil:
    """How many matches ended in the last step."""
    cdef int i
    cdef int count = 0
    for i in range(self.count):
        count += self.done[i]
    return count


cdef void begin(Games self, int i) noexcept nogil:
    """Deals the next game of a place, and plays it until a seat of the caller's is asked."""
    cdef Game* game = &self.games[i]
    cdef uint64_t word
    cdef int j, seat
    while True:
        game.number += 1
        for j in range(4):
            word = next64(&game.rng)
            memcpy(game.key + 8 * j, &word, 8)
        self.rules.begin(&game.deal, game.key, NULL)
        close_deals(self.rules, game)
        for seat in range(self.seats):
            game.balance[seat] = self.start
            game.paid[seat] = 0
        if go_on(self, game, i):
            return


cdef inline void close_deals(Variant rules, Game* game) noexcept nogil:
    """Deals after an ended deal, until somebody is asked or the match is over."""
    while game.deal.phase == PHASE_ENDED:
        if rules._is_last(&game.deal):
            rules.end_match(&game.deal, NULL)
            return
        rules.next_deal(&game.deal, game.key, NULL, NULL)


cdef bint go_on(Games self, Game* game, int i) noexcept nogil:
    """Lets the opponents play until a seat of the caller's is asked; False when the game is over."""
    cdef uint16_t legal[MAX_LEGAL]      # of an opponent: nothing of it is left where the caller sees it
    cdef int learner = -1
    cdef int choice
    if self.learner >= 0:
        learner = <int>((i + game.number + self.learner) % self.seats)
    while game.deal.phase != PHASE_OVER:
        if learner < 0 or game.deal.asked == learner:
            game.legal_count = self.rules._legal(&game.deal, game.legal)
            return True
        choice = self.opponent.pick(&game.deal, legal, self.rules._legal(&game.deal, legal), &game.rng)
        self.rules._apply(&game.deal, game.key, legal[choice], NULL)
        close_deals(self.rules, game)
    return False


cdef void play(Games self, int i, int action) noexcept nogil:
    """Plays an action of the asked seat; writes what it brought the seats, and whether the game is over by it."""
    cdef Game* game = &self.games[i]
    cdef double* rewards = self.rewards + i * self.seats
    cdef int64_t results[4]
    cdef int actor = game.deal.asked
    cdef int seat
    self.rules._apply(&game.deal, game.key, action, NULL)
    close_deals(self.rules, game)
    self.done[i] = not go_on(self, game, i)
    if self.done[i]:
        self.rules._results(&game.deal, results)
        for seat in range(self.seats):
            rewards[seat] = results[seat] - game.paid[seat]
        self.reward[i] = rewards[actor]
        write_tensors(
            self.rules, &game.deal, actor, self.layout, self.final_planes + <int64_t>i * self.layout.planes * CARDS,
            self.final_numbers + <int64_t>i * self.layout.numbers,
        )
        begin(self, i)
        return
    for seat in range(self.seats):
        rewards[seat] = 0
        if game.deal.balance[seat] != game.balance[seat]:
            rewards[seat] = <double>(game.deal.balance[seat] - game.balance[seat]) / self.unit
            game.balance[seat] = game.deal.balance[seat]
            game.paid[seat] += rewards[seat]
    self.reward[i] = rewards[actor]


cdef void write(Games self, int i) noexcept nogil:
    """What the asked seat sees and may do."""
    cdef const Game* game = &self.games[i]
    cdef int8_t* mask
    cdef int j
    write_tensors(
        self.rules, &game.deal, game.deal.asked, self.layout, self.planes + <int64_t>i * self.layout.planes * CARDS,
        self.numbers + <int64_t>i * self.layout.numbers,
    )
    self.asked[i] = game.deal.asked
    self.legal_counts[i] = <uint8_t>game.legal_count
    if self.mask != NULL:
        mask = self.mask + <int64_t>i * self.actions
        memset(mask, 0, self.actions)
        for j in range(game.legal_count):
            mask[game.legal[j]] = 1
    if self.legal != NULL:
        j = 0
        while j < game.legal_count:
            memcpy(self.legal + <int64_t>i * MAX_LEGAL + j, game.legal + j, AT_ONCE * sizeof(uint16_t))
            j += AT_ONCE
