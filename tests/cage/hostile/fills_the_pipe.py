"""Writes moves that nobody asked for, without end."""

import os
import sys

sys.path.insert(0, "/usr/lib/arena")
from arena.sdk.stdio import frame, read_frame
from hanafuda.arena.v1 import play_pb2

os.write(1, frame(play_pb2.PlayRequest(hello=play_pb2.Hello(protocol_version=1)).SerializeToString()))
while not play_pb2.PlayResponse.FromString(read_frame(sys.stdin.buffer) or b"").HasField("match_start"):
    pass
move = frame(play_pb2.PlayRequest(move=play_pb2.Move(match_id="m0", decision=999, code=0)).SerializeToString())
while True:
    os.write(1, move * 100)
