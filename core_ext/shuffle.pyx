# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""All chance of a match: the ChaCha20 keystream of RFC 8439, numbers below n, and the shuffle made of them."""
import hashlib

from core_ext.errors import SeedError

from libc.stdint cimport uint8_t, uint32_t

from core_ext.wide cimport is_wide

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>

    /* Four consecutive blocks at once, one a lane: a deck takes three. */
    typedef uint32_t lanes __attribute__((vector_size(16)));
    #define ROTATE(v, n) (((v) << (n)) | ((v) >> (32 - (n))))
    #define QUARTER(a, b, c, d) \\
        a += b; d ^= a; d = ROTATE(d, 16); c += d; b ^= c; b = ROTATE(b, 12); \\
        a += b; d ^= a; d = ROTATE(d, 8);  c += d; b ^= c; b = ROTATE(b, 7);

    static inline __attribute__((always_inline)) void hanafuda_chacha20(const uint32_t input[16], uint32_t words[64])
    {
        lanes start[16], x[16];
        for (int i = 0; i < 16; i++) start[i] = (lanes){input[i], input[i], input[i], input[i]};
        start[12] += (lanes){0, 1, 2, 3};
        memcpy(x, start, sizeof x);
        for (int round = 0; round < 10; round++) {
            QUARTER(x[0], x[4], x[8], x[12]) QUARTER(x[1], x[5], x[9], x[13])
            QUARTER(x[2], x[6], x[10], x[14]) QUARTER(x[3], x[7], x[11], x[15])
            QUARTER(x[0], x[5], x[10], x[15]) QUARTER(x[1], x[6], x[11], x[12])
            QUARTER(x[2], x[7], x[8], x[13]) QUARTER(x[3], x[4], x[9], x[14])
        }
        for (int i = 0; i < 16; i++) {
            x[i] += start[i];
            for (int block = 0; block < 4; block++) words[16 * block + i] = x[i][block];
        }
    }

    typedef void (*hanafuda_blocks)(const uint32_t *input, uint32_t *words);

    static void hanafuda_blocks_narrow(const uint32_t *input, uint32_t *words) { hanafuda_chacha20(input, words); }

    #ifdef HANAFUDA_WIDE    /* twice as many registers, and rotations */
    HANAFUDA_WIDE static void hanafuda_blocks_wide(const uint32_t *input, uint32_t *words)
    {
        hanafuda_chacha20(input, words);
    }
    #else
    #define hanafuda_blocks_wide hanafuda_blocks_narrow
    #endif
    """
    ctypedef void (*Blocks "hanafuda_blocks")(const uint32_t* input, uint32_t* words) noexcept nogil
    Blocks blocks_narrow "hanafuda_blocks_narrow"
    Blocks blocks_wide "hanafuda_blocks_wide"


cdef Blocks four_blocks = blocks_wide if is_wide() else blocks_narrow


cdef enum:
    PURPOSE_DECK = 0
    PURPOSE_PICKS = 1


cdef struct Stream:
    uint32_t input[16]   # constants, key, counter of the next block, nonce
    uint32_t words[64]   # four blocks
    int position         # the next word to read


cdef inline uint32_t _little_endian(const uint8_t* b) noexcept nogil:
    return b[0] | (<uint32_t>b[1] << 8) | (<uint32_t>b[2] << 16) | (<uint32_t>b[3] << 24)


cdef void open_stream(
    Stream* stream, const uint8_t* key, uint32_t month, uint32_t attempt, uint32_t purpose
) noexcept nogil:
    cdef int i
    stream.input[0] = 0x61707865
    stream.input[1] = 0x3320646E
    stream.input[2] = 0x79622D32
    stream.input[3] = 0x6B206574
    for i in range(8):
        stream.input[4 + i] = _little_endian(key + 4 * i)
    stream.input[12] = 0
    stream.input[13] = month
    stream.input[14] = attempt
    stream.input[15] = purpose
    stream.position = 64


cdef inline uint32_t _word(Stream* stream) noexcept nogil:
    cdef uint32_t word
    if stream.position == 64:
        four_blocks(stream.input, stream.words)
        stream.input[12] += 4
        stream.position = 0
    word = stream.words[stream.position]
    stream.position += 1
    return word


cdef inline uint32_t below(Stream* stream, uint32_t n) noexcept nogil:
    """An unbiased number of 0 … n-1: words after the last whole run of n are passed over."""
    cdef uint32_t word = _word(stream)
    while word - word % n > <uint32_t>(0 - n):
        word = _word(stream)
    return word % n


cdef void shuffle(const uint8_t* key, uint32_t month, uint32_t attempt, int cards, uint8_t* deck) noexcept nogil:
    """Write the shuffled deck of the first ``cards`` ids, top first."""
    cdef Stream stream
    cdef int i, j
    cdef uint8_t card
    open_stream(&stream, key, month, attempt, PURPOSE_DECK)
    for i in range(cards):
        deck[i] = <uint8_t>i
    for i in range(cards - 1):
        j = i + <int>below(&stream, cards - i)
        card = deck[i]
        deck[i] = deck[j]
        deck[j] = card


cdef int pick(const uint8_t* key, uint32_t month, uint32_t attempt, int number, int n) noexcept nogil:
    """One of 0 … n-1: the choice of this number, from 1, that an attempt makes beside its deck."""
    cdef Stream stream
    cdef int choice = 0
    cdef int i
    open_stream(&stream, key, month, attempt, PURPOSE_PICKS)
    for i in range(number):
        choice = <int>below(&stream, n)
    return choice


def parse_seed(seed):
    if isinstance(seed, bytes):
        if len(seed) != 32:
            raise SeedError(f"a seed given as bytes has 32 of them, not {len(seed)}")
        return seed
    if isinstance(seed, bool) or not isinstance(seed, (str, int)):
        raise SeedError(f"a seed is a text, a number or 32 bytes, not {type(seed).__name__}")
    try:
        text = str(seed).encode()
    except ValueError as error:     # half a surrogate pair, or a number of thousands of digits
        raise SeedError(f"a seed is a text that can be written as UTF-8: {error}") from error
    if not text:
        raise SeedError("a seed must not be empty")
    if len(text) == 64 and all(digit in b"0123456789abcdefABCDEF" for digit in text):
        return bytes.fromhex(text.decode())
    return hashlib.sha256(b"hanafuda-arena/seed/1:" + text).digest()


def keystream(seed, uint32_t month, uint32_t attempt, uint32_t purpose, int n):
    cdef bytes key = parse_seed(seed)
    cdef Stream stream
    cdef int i
    open_stream(&stream, <const uint8_t*><char*>key, month, attempt, purpose)
    words = b"".join([int(_word(&stream)).to_bytes(4, "little") for i in range((n + 3) // 4)])
    return words[:n]


def deck(seed, uint32_t month, uint32_t attempt, int cards=48):
    cdef bytes key = parse_seed(seed)
    cdef uint8_t order[48]
    cdef int i
    if not 1 <= cards <= 48:
        raise ValueError(f"a deck has 1 to 48 cards, not {cards}")
    shuffle(<const uint8_t*><char*>key, month, attempt, cards, order)
    return tuple([order[i] for i in range(cards)])
