/* A whole bot in C: it answers each decision with the first legal action.
 *
 * Build: gcc -O2 -static -o bot bot.c
 * or, for WebAssembly: clang --target=wasm32-wasi --sysroot=/usr -O2 -o bot.wasm bot.c
 *
 * Each message on standard input and output comes after its length as a protobuf varint. A protobuf message is a row of
 * fields: a key (number * 8 + type, a varint), then a varint (type 0), eight bytes (type 1), a length and so many bytes
 * (type 2), or four bytes (type 5). A number that is 0 may be left out.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct { const uint8_t *at, *end; } Bytes;
typedef struct { unsigned number, type; uint64_t value; Bytes bytes; } Field;

enum { HELLO = 1, MOVE = 2 };                                /* of PlayRequest */
enum { HELLO_PROTOCOL_VERSION = 1 };                         /* of Hello */
enum { MOVE_MATCH_ID = 1, MOVE_DECISION = 2, MOVE_CODE = 3 }; /* of Move */
enum { DECISION = 3, GOODBYE = 7 };                          /* of PlayResponse */
enum { DECISION_MATCH_ID = 1, DECISION_DECISION = 2, DECISION_LEGAL = 4 };
enum { LEGAL_ACTION_CODE = 1 };

static void fail(const char *text) {
    if (write(2, text, strlen(text)) < 0) exit(2);
    exit(1);
}

static uint64_t varint(Bytes *in) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && in->at < in->end; shift += 7) {
        uint8_t byte = *in->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) return value;
    }
    fail("a varint is cut off\n");
    return 0;
}

/* The next field of a message; 0 at its end. */
static int next(Bytes *in, Field *field) {
    if (in->at == in->end) return 0;
    uint64_t key = varint(in), length = 0;
    field->number = key >> 3;
    field->type = key & 7;
    switch (field->type) {
        case 0: field->value = varint(in); break;
        case 1: length = 8; break;
        case 2: length = varint(in); break;
        case 5: length = 4; break;
        default: fail("a field of an unknown type\n");
    }
    if (length > (uint64_t)(in->end - in->at)) fail("a field is cut off\n");
    field->bytes = (Bytes){in->at, in->at + length};
    in->at += length;
    return 1;
}

static uint8_t *put(uint8_t *to, uint64_t value) {
    for (; value >= 0x80; value >>= 7) *to++ = value | 0x80;
    *to++ = value;
    return to;
}

static uint8_t *put_number(uint8_t *to, unsigned number, uint64_t value) {
    return put(put(to, number << 3), value);
}

static uint8_t *put_bytes(uint8_t *to, unsigned number, const uint8_t *from, size_t length) {
    to = put(put(to, number << 3 | 2), length);
    memcpy(to, from, length);
    return to + length;
}

/* Write a PlayRequest with one member. */
static void request(unsigned member, const uint8_t *message, size_t length) {
    uint8_t body[512], out[520], *at = put_bytes(body, member, message, length), *start = put(out, at - body);
    memcpy(start, body, at - body);
    size_t size = start + (at - body) - out;
    if (write(1, out, size) != (ssize_t)size) exit(1);
}

static void answer(Bytes decision) {
    Field field, code;
    Bytes match = {0, 0};
    uint64_t number = 0, first = 0;
    int chosen = 0;
    while (next(&decision, &field)) {
        if (field.number == DECISION_MATCH_ID) match = field.bytes;
        if (field.number == DECISION_DECISION) number = field.value;
        if (field.number == DECISION_LEGAL && !chosen) {
            chosen = 1;
            while (next(&field.bytes, &code))
                if (code.number == LEGAL_ACTION_CODE) first = code.value;
        }
    }
    uint8_t move[400], *at = move;
    if (match.end - match.at > 300) fail("the match has a long name\n");
    at = put_bytes(at, MOVE_MATCH_ID, match.at, match.end - match.at);
    at = put_number(at, MOVE_DECISION, number);
    at = put_number(at, MOVE_CODE, first);
    request(MOVE, move, at - move);
}

int main(void) {
    static uint8_t message[1 << 20];
    uint8_t hello[16];
    request(HELLO, hello, put_number(hello, HELLO_PROTOCOL_VERSION, 1) - hello);
    for (;;) {
        uint64_t length = 0;
        int byte = 0x80;
        for (unsigned shift = 0; byte >= 0x80 && shift < 35; shift += 7) {
            if ((byte = getchar()) == EOF) return 0;
            length |= (uint64_t)(byte & 0x7f) << shift;
        }
        if (length > sizeof message) fail("a message is too long\n");
        if (fread(message, 1, length, stdin) < length) return 0;
        Bytes in = {message, message + length};
        Field field;
        while (next(&in, &field)) {
            if (field.number == DECISION) answer(field.bytes);
            if (field.number == GOODBYE) return 0;
        }
    }
}
