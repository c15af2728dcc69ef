"""Makes namespaces, mounts, devices and links, and calls what the filter is there for."""

import ctypes
import os
import resource
import socket
import stat
import struct

from attempt import attempt, call

_rule = ctypes.create_string_buffer(struct.pack("=HBBI", 6, 0, 0, 0x7FFF0000))
RETURN_ALLOW = struct.pack("@HP", 1, ctypes.addressof(_rule))

for name, flag in {"user": 0x10000000, "mount": 0x20000, "pid": 0x20000000, "net": 0x40000000}.items():
    attempt(f"unshare {name}", lambda flag=flag: call("unshare", flag))
attempt("clone", lambda: call("syscall", {"x86_64": 56, "aarch64": 220}[os.uname().machine], 0x10000011, 0, 0, 0, 0))
attempt("mount", lambda: call("mount", b"/usr", b"/tmp", None, 4096, None))
attempt("pivot", lambda: call("chroot", b"/tmp"))
attempt("bpf", lambda: call("syscall", {"x86_64": 321, "aarch64": 280}[os.uname().machine], 0, 0, 0))
attempt("io_uring", lambda: call("syscall", 425, 1, 0))
attempt("keys", lambda: call("syscall", {"x86_64": 250, "aarch64": 219}[os.uname().machine], 0, -3, 0))
attempt("filter", lambda: call("syscall", {"x86_64": 317, "aarch64": 277}[os.uname().machine], 1, 0, RETURN_ALLOW))
attempt("filter by prctl", lambda: call("prctl", 22, 2, RETURN_ALLOW, 0, 0))
attempt("filter of a socket", lambda: socket.socket(socket.AF_UNIX).setsockopt(socket.SOL_SOCKET, 26, RETURN_ALLOW))
attempt("its place in memory", lambda: call("prctl", 35, 15, ctypes.byref(ctypes.c_uint()), 0, 0))
attempt("the kernel's memory", lambda: call("prctl", 78, 1, 1 << 10, 0, 0))
attempt("rules for files", lambda: call("syscall", 444, bytes([1, *bytes(15)]), 16, 0))
attempt("device", lambda: os.mknod("/tmp/disk", stat.S_IFBLK | 0o666, os.makedev(8, 0)))
attempt("descriptor by handle", lambda: call("open_by_handle_at", -100, 0, 0))
attempt("become root", lambda: os.setuid(0))
attempt("groups", lambda: os.setgroups([0]))
attempt("host name", lambda: call("sethostname", b"mine", 4))
attempt("clock", lambda: os.posix_spawn("/usr/bin/date", ["date", "-s", "@0"], {}))
for limits in ((0, 0), (0, 1)):
    attempt(f"core of limits {limits}", lambda limits=limits: resource.setrlimit(resource.RLIMIT_CORE, limits))


def link(make: object, target: str) -> str:
    path = "/tmp/link"
    if os.path.lexists(path):
        os.unlink(path)
    make(target, path)
    return open(path, "rb").read(1).decode("latin-1")


attempt("symlink", lambda: link(os.symlink, "/etc/passwd"))
attempt("symlink up", lambda: link(os.symlink, "../../../../etc/shadow"))
attempt("hard link", lambda: link(os.link, "/usr/bin/python"))


def setuid() -> int:
    with open("/tmp/own", "wb") as file:
        file.write(open("/usr/bin/python", "rb").read(1 << 16))
    os.chmod("/tmp/own", 0o6755)
    os.chown("/tmp/own", 0, 0)
    return os.stat("/tmp/own").st_uid


attempt("setuid", setuid)
