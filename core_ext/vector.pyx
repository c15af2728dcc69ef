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

cdef enum:
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
    cdef const int64_t* codes   # the actions of the step under way; NULL: the games begin
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
        self.spread(NULL)

    def step(self, actions):
        cdef Array given = Array(actions, "actions", "l", (self.count,), False)
        cdef int i
        if not self.is_begun:
            raise RuntimeError("the games have not begun: reset them first")
        with nogil:
            i = first_illegal(self, <const int64_t*>given.data)
        if i >= 0:
            self.refuse(i, (<const int64_t*>given.data)[i])
        self.spread(<const int64_t*>given.data)

    cdef int refuse(self, int i, int64_t action) except -1:
        texts = self.rules.info.actions
        legal = " ".join([f"{texts[code]} ({code})" for code in self.games[i].legal[: self.games[i].legal_count]])
        text = f"{texts[action]} ({action})" if 0 <= action < self.actions else str(action)
        raise IllegalActionError(action, f"{text} is not legal in game {i}; legal is {legal}")

    cdef int spread(self, const int64_t* codes) except -1:
        """Steps (or, without codes, begins) all games, shared out between the threads."""
        if self.threads > 1 and not team_is_ours(self.team):     # after a fork
            team_end(self.team)
            self.team = NULL
            self.begin_team()
        self.codes = codes
        with nogil:
            if self.team == NULL:
                step_part(self, 0, self.count)
            else:
                team_do(self.team, <team_work><void*>step_part, <void*>self)
        return 0

    def sample(self, actions):
        cdef Array given = Array(actions, "actions", "l", (self.count,))
        cdef int64_t* codes = <int64_t*>given.data
        cdef Game* game
        cdef int i
        if not self.is_begun:
            raise RuntimeError("the games have not begun: reset them first")
        with nogil:
            for i in range(self.count):
                game = &self.games[i]
                codes[i] = game.legal[choose(&game.sampling, game.legal_count)]

    def seed(self, int index):
        return (<char*>self.game(index).key)[:32]

    cdef Game* game(self, int index) except NULL:
        if not 0 <= index < self.count or not self.is_begun:
            raise IndexError(f"there is no game {index}")
        return &self.games[index]


cdef void step_part(Games self, int first, int end) noexcept nogil:
    """Steps some of the games."""
    cdef int i
    for i in range(first, end):
        if self.codes == NULL:
            begin(self, i)
            self.done[i] = 0
        else:
            play(self, i, <int>self.codes[i])
        write(self, i)


cdef int first_illegal(Games self, const int64_t* actions) noexcept nogil:
    """The first game whose action is not legal, -1 when all are."""
    cdef const Game* game
    cdef int i, j
    for i in range(self.count):
        game = &self.games[i]
        for j in range(game.legal_count):
            if game.legal[j] == actions[i]:
                break
        else:
            return i
    return -1


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
    cdef int learner = -1
    cdef int choice
    if self.learner >= 0:
        learner = <int>((i + game.number + self.learner) % self.seats)
    while game.deal.phase != PHASE_OVER:
        game.legal_count = self.rules._legal(&game.deal, game.legal)
        if learner < 0 or game.deal.asked == learner:
            return True
        choice = self.opponent.pick(&game.deal, game.legal, game.legal_count, &game.rng)
        self.rules._apply(&game.deal, game.key, game.legal[choice], NULL)
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
        memcpy(self.legal + <int64_t>i * MAX_LEGAL, game.legal, sizeof(game.legal))
