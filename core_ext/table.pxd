from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint64_t

cdef enum:
    MAX_SEATS = 4
    MAX_LEGAL = 64      # no seat ever has more legal actions
    OWN_WORDS = 16      # 64-bit words of a variant's private area

# In the order of PHASES.
cdef enum Phase:
    PHASE_OVER          # the match is over
    PHASE_ENDED         # the deal has ended, the next has not been dealt; seen by nobody
    PHASE_DEALT_HAND    # declare a dealt hand, in secret
    PHASE_EXCHANGE
    PHASE_PLAY          # play a hand card
    PHASE_TURNED        # choose what the turned card takes
    PHASE_SETTLE        # stop or koi
    PHASE_CANCEL
    PHASE_DRAW
    PHASE_DISCARD
    PHASE_CLAIM
    PHASE_COUNT

# In the order of ENDINGS.
cdef enum Ended:
    ENDED_STOP
    ENDED_CANCEL
    ENDED_DECLARE
    ENDED_WIN
    ENDED_RUN_OUT
    ENDED_REDEAL
    ENDED_SAFEGUARD
    ENDED_VOID
    ENDED_COUNT

# The current deal: all that changes inside it, so that a clone is one assignment. A *masked* deal holds what one seat
# knows of it.
cdef struct Deal:
    uint64_t hand[MAX_SEATS]        # masked: the cards known to be in it
    uint64_t pile[MAX_SEATS]
    uint64_t shown[MAX_SEATS]       # cards of the hand that everybody knows
    uint64_t field                  # the open cards of the table; where there are no piles, the discards
    uint64_t gained                 # what the asked seat's pile has gained in this turn
    int64_t balance[MAX_SEATS]
    int64_t score[MAX_SEATS]        # what the deal changed in the balances; zero until it has ended
    int64_t stake[MAX_SEATS]        # the points of the seat's last koi
    uint64_t own[OWN_WORDS]         # the variant's own fields
    uint8_t deck[48]                # top first; masked: NO_CARD where not known
    uint8_t top                     # the stock is deck[top:end]
    uint8_t end
    uint8_t koi[MAX_SEATS]          # how often the seat has said koi
    uint8_t held[MAX_SEATS]         # masked only: how many cards the hand has
    uint8_t seats
    uint8_t phase
    int8_t asked                    # the seat that is asked, -1 when the match is over; masked: as everybody knows it
    uint8_t turned                  # the turned card that waits for a choice, or NO_CARD
    uint8_t dealer
    uint8_t attempt
    uint8_t ended                   # how the deal ended, once it has
    int8_t winner
    uint8_t waiting                 # masked only: the viewer can tell that another seat is asked in secret
    uint16_t month


cdef inline int after(const Deal* deal, int seat) noexcept nogil:
    """The seat that follows in turn."""
    return seat + 1 if seat + 1 < deal.seats else 0


cdef int first_dealer(const uint8_t* deck, int cards, int seats, uint8_t* draws) noexcept nogil
cdef uint64_t take_cards(Deal* deal, int count) noexcept nogil
