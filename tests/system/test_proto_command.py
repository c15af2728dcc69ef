"""`arena proto`: what programs in other languages make their messages of."""

from importlib.resources import files
from pathlib import Path

from arena_command import done, refused
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from grpc_tools import protoc

from hanafuda.arena.v1 import play_pb2


def test_the_files_are_written_whole_and_compile_to_the_messages_that_the_arena_speaks(tmp_path: Path) -> None:
    said = done("proto", "messages", cwd=tmp_path).splitlines()
    assert "messages/hanafuda/arena/v1/play.proto" in said
    assert all((tmp_path / line).is_file() for line in said)
    made = tmp_path / "made"
    play = "hanafuda/arena/v1/play.proto"
    paths = (tmp_path / "messages", files("grpc_tools") / "_proto")
    assert protoc.main(["", *(f"-I{path}" for path in paths), f"--descriptor_set_out={made}", play]) == 0
    (file,) = FileDescriptorSet.FromString(made.read_bytes()).file
    assert [message.name for message in file.message_type] == list(play_pb2.DESCRIPTOR.message_types_by_name)
    (tmp_path / "file").touch()
    assert "Not a directory" in refused("proto", "file/messages", cwd=tmp_path)
