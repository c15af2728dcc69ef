"""Parts of messages kept serialised.

A message that is built part by part through Python costs about six times as much as joining parts that are serialised
already: protobuf's encoding of a message is the encodings of its fields one after the other, each embedded message
with its tag and its length before it.
"""

from google.protobuf.descriptor import Descriptor

_LENGTH_DELIMITED = 2


def tag(message: Descriptor, field: str) -> bytes:
    """The tag of an embedded message or packed field; its number has to be below 16, so that it is one byte."""
    number = message.fields_by_name[field].number
    if number > 15:
        raise ValueError(f"{message.full_name}.{field} has the number {number}, its tag takes more than one byte")
    return bytes([number << 3 | _LENGTH_DELIMITED])


def framed(field_tag: bytes, body: bytes) -> bytes:
    """A serialised message as a field of another one."""
    length = len(body)
    if length < 0x80:
        return b"%b%c%b" % (field_tag, length, body)
    head = bytearray(field_tag)
    while length >= 0x80:
        head.append(length & 0x7F | 0x80)
        length >>= 7
    head.append(length)
    return bytes(head) + body
