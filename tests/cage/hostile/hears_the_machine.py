"""Looks at what others do to the machine: a twin elsewhere, or somebody outside who watches its match."""

import ctypes
import mmap
import os
import re

from attempt import attempt, call, none

MADV_COLD, MADV_PAGEOUT, MADV_MERGEABLE, MADV_COLLAPSE, PR_SET_MEMORY_MERGE = 20, 21, 12, 25, 67
MAP_HUGETLB = 0x40000
GET_MEMPOLICY, SYSFS = {"x86_64": (239, 139), "aarch64": (236, -1)}[os.uname().machine]
IO_SETUP = {"x86_64": 206, "aarch64": 0}[os.uname().machine]
TOLD = (
    *("buddyinfo", "cgroups", "diskstats", "fs/ext4", "interrupts", "irq/default_smp_affinity", "loadavg", "meminfo"),
    *("mdstat", "modules", "pressure/cpu", "sched_debug", "schedstat", "softirqs", "stat", "swaps"),
    *("sys/fs/dentry-state", "sys/fs/file-nr", "sys/fs/inode-nr", "sys/kernel/ns_last_pid", "sys/kernel/pty/nr"),
    *("uptime", "vmstat", "zoneinfo"),
)
runtime = os.open(os.__file__, os.O_RDONLY)
page = mmap.mmap(runtime, mmap.PAGESIZE, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE)
address = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(page)))

for name in TOLD:
    attempt(name, lambda name=name: os.close(os.open(f"/proc/{name}", os.O_RDONLY)))
attempt("cages before it", lambda: none(re.findall(r"cage-\d{1,8}$", open("/proc/self/cgroup").read(), re.MULTILINE)))
attempt("disk by path", lambda: os.statvfs(os.__file__))
attempt("disk by descriptor", lambda: os.statvfs(runtime))
attempt("memory", lambda: call("sysinfo", ctypes.create_string_buffer(128)))
attempt("cached?", lambda: os.preadv(runtime, [bytearray(1)], 0, os.RWF_NOWAIT))
attempt("in memory?", lambda: call("mincore", address, mmap.PAGESIZE, ctypes.create_string_buffer(1)))
for advice in (MADV_COLD, MADV_PAGEOUT, MADV_MERGEABLE, MADV_COLLAPSE):
    attempt(f"advice {advice}", lambda advice=advice: call("madvise", address, mmap.PAGESIZE, advice))
attempt("merge all", lambda: call("prctl", PR_SET_MEMORY_MERGE, 1, 0, 0, 0))
attempt("huge page", lambda: mmap.mmap(-1, 2 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_HUGETLB))
attempt("memory's place", lambda: call("syscall", GET_MEMPOLICY, None, None, 0, None, 0))
attempt("kinds of file systems", lambda: call("syscall", SYSFS, 3))
attempt("asynchronous I/O", lambda: call("syscall", IO_SETUP, 1, ctypes.byref(ctypes.c_uint64())))
