"""Write the tags of messages' fields for Cython: ``generate_fields.py PROTO_ROOT OUTPUT MESSAGE...``, from descriptors.

A tag is what stands before a field's value on the wire: its number and its wire type. `arena/wire` reads and writes
some messages by hand; it takes every number from here. Fields whose tag is longer than a byte are left out.
"""

import re
import sys
import tempfile
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto, FileDescriptorSet
from grpc_tools import protoc

VARINT, FIXED64, BYTES = range(3)
MAX_NUMBER = 15
_FIXED64 = {FieldDescriptorProto.TYPE_FIXED64, FieldDescriptorProto.TYPE_SFIXED64, FieldDescriptorProto.TYPE_DOUBLE}
_BYTES = {FieldDescriptorProto.TYPE_STRING, FieldDescriptorProto.TYPE_BYTES, FieldDescriptorProto.TYPE_MESSAGE}
_FIXED32 = {FieldDescriptorProto.TYPE_FIXED32, FieldDescriptorProto.TYPE_SFIXED32, FieldDescriptorProto.TYPE_FLOAT}


def descriptors(proto_root: Path) -> dict[str, DescriptorProto]:
    """Return every message by its name."""
    sources = sorted(proto_root.rglob("*.proto"))
    with tempfile.NamedTemporaryFile(suffix=".binpb") as written:
        status = protoc.main(
            [
                "protoc",
                f"--proto_path={proto_root}",
                f"--proto_path={files('grpc_tools') / '_proto'}",
                f"--descriptor_set_out={written.name}",
                *map(str, sources),
            ]
        )
        if status:
            raise SystemExit(status)
        descriptors = FileDescriptorSet.FromString(Path(written.name).read_bytes())
    return {message.name: message for file in descriptors.file for message in file.message_type}


def wire_type(field: FieldDescriptorProto) -> int:
    """Return how the field's value is written; repeated numbers are packed."""
    if field.type in _FIXED32:
        raise SystemExit(f"field {field.name}: 32-bit values of fixed length are not written by hand")
    if field.type in _BYTES or field.label == FieldDescriptorProto.LABEL_REPEATED:
        return BYTES
    return FIXED64 if field.type in _FIXED64 else VARINT


def constants(message: DescriptorProto) -> Iterator[str]:
    """Yield a line for each field: DECISION_MATCH_ID_TAG = 10."""
    prefix = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", message.name).upper()
    for field in message.field:
        if field.number <= MAX_NUMBER:
            yield f"    {prefix}_{field.name.upper()}_TAG = {field.number << 3 | wire_type(field)}"


def main(proto_root: Path, output: Path, names: list[str]) -> None:
    """Write the constants of these messages."""
    messages = descriptors(proto_root)
    lines = [line for name in names for line in constants(messages[name])]
    output.write_text("\n".join(["# Written by cmake/generate_fields.py.", "cdef enum:", *lines, ""]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
