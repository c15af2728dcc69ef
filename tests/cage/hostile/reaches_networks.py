"""Reaches any network, abstract sockets included."""

import socket
import sys

from attempt import attempt

abstract, port = sys.argv[1:]


def connect(family: int, address: object, kind: int = socket.SOCK_STREAM) -> str:
    with socket.socket(family, kind) as one:
        one.settimeout(1)
        one.connect(address)
    return "connected"


attempt("abstract", lambda: connect(socket.AF_UNIX, f"\0{abstract}"))
attempt("tcp", lambda: connect(socket.AF_INET, ("127.0.0.1", int(port))))
attempt("tcp6", lambda: connect(socket.AF_INET6, ("::1", int(port))))
attempt("udp", lambda: connect(socket.AF_INET, ("192.0.2.1", 53), socket.SOCK_DGRAM))
attempt("raw", lambda: connect(socket.AF_INET, ("127.0.0.1", 0), socket.SOCK_RAW))
attempt("netlink", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).fileno())
attempt("packet", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW).fileno())
attempt("crypto", lambda: socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET).fileno())
attempt("virtual machine", lambda: socket.socket(40, socket.SOCK_STREAM).fileno())
attempt("name", lambda: socket.gethostbyname("example.org"))
