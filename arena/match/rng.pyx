# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""A seat's own random numbers: one for each decision, of which hashlib would take a twentieth of the node's time."""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

cdef extern from *:
    """
    #include <stdint.h>

    #define ROTATE(v, n) (((v) >> (n)) | ((v) << (32 - (n))))

    static const uint32_t first[8] = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    static const uint32_t constants[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

    /* FIPS 180-4, 6.2.2: one block of SHA-256. */
    static void sha256_block(uint32_t hash[8], const uint8_t* block) {
        uint32_t w[64], v[8];
        for (int i = 0; i < 16; i++)
            w[i] = (uint32_t)block[4 * i] << 24 | block[4 * i + 1] << 16 | block[4 * i + 2] << 8 | block[4 * i + 3];
        for (int i = 16; i < 64; i++) {
            uint32_t a = w[i - 15], b = w[i - 2];
            w[i] = w[i - 16] + (ROTATE(a, 7) ^ ROTATE(a, 18) ^ a >> 3)
                + w[i - 7] + (ROTATE(b, 17) ^ ROTATE(b, 19) ^ b >> 10);
        }
        for (int i = 0; i < 8; i++) v[i] = hash[i];
        for (int i = 0; i < 64; i++) {
            uint32_t e = v[4], a = v[0];
            uint32_t one = v[7] + (ROTATE(e, 6) ^ ROTATE(e, 11) ^ ROTATE(e, 25)) + ((e & v[5]) ^ (~e & v[6]))
                + constants[i] + w[i];
            uint32_t two = (ROTATE(a, 2) ^ ROTATE(a, 13) ^ ROTATE(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
            v[7] = v[6]; v[6] = v[5]; v[5] = e; v[4] = v[3] + one;
            v[3] = v[2]; v[2] = v[1]; v[1] = a; v[0] = one + two;
        }
        for (int i = 0; i < 8; i++) hash[i] += v[i];
    }
    """
    const uint32_t first[8]
    void sha256_block(uint32_t* hash, const uint8_t* block) noexcept nogil

cdef enum:
    BLOCK = 64
    LENGTH = 8      # bytes of the length that ends the last block
    DIGITS = 10     # no 32-bit number has more


@cython.final
cdef class SeatRng:
    def __init__(self, bytes seed, int seat, str salt=""):
        cdef bytes text = f"hanafuda-arena/random/1:{seed.hex()}:{seat}:{salt}:".encode()
        cdef const uint8_t* at = <const uint8_t*>PyBytes_AS_STRING(text)
        self.length = PyBytes_GET_SIZE(text)
        memcpy(self.begun, first, sizeof(first))
        for _ in range(self.length // BLOCK):
            sha256_block(self.begun, at)
            at += BLOCK
        memcpy(self.rest, at, self.length % BLOCK)

    cpdef uint64_t roll(self, uint32_t number):
        cdef uint8_t last[2 * BLOCK]
        cdef uint32_t hashed[8]
        cdef int used = <int>(self.length % BLOCK)
        cdef int size, i
        cdef uint64_t bits
        memset(last, 0, sizeof(last))
        memcpy(last, self.rest, used)
        used += put_decimal(last + used, number)
        bits = 8 * (self.length - self.length % BLOCK + used)
        last[used] = 0x80
        size = BLOCK if used + LENGTH < BLOCK else 2 * BLOCK
        for i in range(LENGTH):
            last[size - 1 - i] = <uint8_t>(bits >> 8 * i)
        memcpy(hashed, self.begun, sizeof(hashed))
        for i in range(0, size, BLOCK):
            sha256_block(hashed, last + i)
        return <uint64_t>hashed[0] << 32 | hashed[1]


cdef int put_decimal(uint8_t* at, uint32_t number) noexcept:
    """Writes a number as text; how many digits it has."""
    cdef uint8_t digits[DIGITS]
    cdef int first = DIGITS
    while True:
        first -= 1
        digits[first] = 48 + number % 10
        number //= 10
        if not number:
            break
    memcpy(at, digits + first, DIGITS - first)
    return DIGITS - first
