"""What the filter does with system calls, which it knows by the numbers of the kernel's own headers."""

import errno
import re
import struct
from pathlib import Path

import pytest
from prerequisites import not_run

from arena.launcher.cage import seccomp
from arena.launcher.cage.errors import NoCageError
from arena.launcher.cage.syscalls import (
    ALLOWED,
    COUNTED,
    DENIED_ALONE,
    EXAMINED,
    EXAMINED_ALONE,
    IDLE,
    MISSING,
    PROCESSES,
)

HEADERS = {"x86_64": ("x86_64-linux-gnu/asm/unistd_64.h", "asm/unistd_64.h"), "aarch64": ("asm-generic/unistd.h",)}
ALLOW, ASK, KILL, ERROR = 0x7FFF0000, 0x7FC00000, 0x80000000, 0x00050000
THREAD = 0x3D0F00
CONTAINERS_ARE_REFUSED = """
acct add_key adjtimex bpf clock_adjtime clock_settime create_module delete_module finit_module get_mempolicy init_module
ioperm iopl
kcmp kexec_file_load kexec_load keyctl lookup_dcookie mbind modify_ldt mount move_pages name_to_handle_at nfsservctl
open_by_handle_at perf_event_open personality pivot_root process_vm_readv process_vm_writev ptrace quotactl reboot
request_key set_mempolicy setns settimeofday swapoff swapon sysfs umount2 unshare uselib userfaultfd ustat
"""
"""By the table in Docker's documentation of seccomp, less what is obsolete or is allowed by arguments."""
TELL_OF_THE_MACHINE = """
accept accept4 bind connect fanotify_init flock fstatfs inotify_init1 io_setup ioprio_set landlock_create_ruleset listen
memfd_create memfd_secret migrate_pages mincore mknodat mq_open msgget pidfd_open pidfd_send_signal process_madvise
quotactl_fd sched_setaffinity sched_setattr seccomp semget sendfile setpgid setpriority setsid setxattr shmget splice
statfs sysinfo syslog tee timer_create vmsplice
"""
"""What would be a word to a twin, to others of the machine, or memory that no limit counts."""


def numbers_of(machine: str) -> dict[str, int]:
    """The numbers in the kernel's header of a machine."""
    there = [path for header in HEADERS[machine] if (path := Path("/usr/include") / header).exists()]
    if not there:
        not_run(f"the kernel's headers have no system calls of {machine}")
    found = re.findall(r"^#define __NR(?:3264)?_(\w+)\s+(\d+)", there[0].read_text(), re.MULTILINE)
    return {name: int(number) for name, number in reversed(found)}


def run(program: bytes, machine: int, number: int, *arguments: int) -> int:
    """What the filter returns for a call, by the rules of classic BPF."""
    padded = (*arguments, 0, 0, 0, 0, 0, 0)[:6]
    data = struct.pack("=IIQ6Q", number, machine, 0, *padded)
    lines = list(struct.iter_unpack("=HBBI", program))
    accumulator = at = 0
    while True:
        code, if_true, if_false, value = lines[at]
        at += 1
        match code:
            case 0x20:
                (accumulator,) = struct.unpack_from("=I", data, value)
            case 0x54:
                accumulator &= value
            case 0x15:
                at += if_true if accumulator == value else if_false
            case 0x25:
                at += if_true if accumulator > value else if_false
            case 0x45:
                at += if_true if accumulator & value else if_false
            case 0x06:
                return int(value)
            case _:
                raise AssertionError(f"unknown instruction {code:#x}")


@pytest.mark.parametrize("machine", seccomp.MACHINES)
def test_every_number_is_the_one_in_the_kernels_header(machine: str) -> None:
    known = numbers_of(machine)
    column = seccomp.MACHINES[machine].column
    assert seccomp.MACHINES[machine].seccomp == known["seccomp"]
    for call, numbers in {
        **COUNTED,
        **ALLOWED,
        **IDLE,
        **EXAMINED,
        **MISSING,
        **DENIED_ALONE,
        **EXAMINED_ALONE,
    }.items():
        assert numbers[column] == known.get(call), call


@pytest.mark.parametrize("machine", seccomp.MACHINES)
def test_the_node_is_asked_about_calls_that_make_pipes_and_pairs_of_sockets_alone(machine: str) -> None:
    counting, audit = seccomp.counting(machine), seccomp.MACHINES[machine].audit
    asked = {call for call, number in numbers_of(machine).items() if run(counting, audit, number) != ALLOW}
    assert asked == {"pipe", "pipe2", "socketpair"} & numbers_of(machine).keys()
    assert {run(counting, audit, numbers_of(machine)[call]) for call in asked} == {ASK}


@pytest.mark.parametrize("single_threaded", [False, True])
@pytest.mark.parametrize("machine", seccomp.MACHINES)
def test_every_call_of_the_kernel_that_is_in_no_table_is_refused(machine: str, single_threaded: bool) -> None:
    filter_ = seccomp.program(machine, single_threaded=single_threaded)
    column, audit = seccomp.MACHINES[machine].column, seccomp.MACHINES[machine].audit
    refused = set()
    tables = {numbers[column] for table in (ALLOWED, IDLE, EXAMINED) for numbers in table.values()}
    for call, number in numbers_of(machine).items():
        outcome = run(filter_, audit, number)
        if number not in tables:
            assert outcome in (ERROR | errno.EPERM, ERROR | errno.ENOSYS, ERROR | errno.EAGAIN), call
            refused.add(call)
        elif call in ALLOWED and not (single_threaded and call in {**DENIED_ALONE, **EXAMINED_ALONE}):
            assert outcome == ALLOW, call
    kernels_own = numbers_of(machine)
    never = {*CONTAINERS_ARE_REFUSED.split(), *TELL_OF_THE_MACHINE.split()} & kernels_own.keys()
    assert never <= refused
    for call, numbers in IDLE.items():
        number = numbers[column]
        if number is not None:
            assert run(filter_, audit, number) == ERROR, call
    for call, numbers in MISSING.items():
        number = numbers[column]
        if number is not None:
            assert run(filter_, audit, number) == ERROR | errno.ENOSYS, call


@pytest.mark.parametrize("machine", seccomp.MACHINES)
def test_calls_are_allowed_by_their_arguments(machine: str) -> None:
    filter_ = seccomp.program(machine)
    column, audit = seccomp.MACHINES[machine].column, seccomp.MACHINES[machine].audit

    def outcome(call: str, *arguments: int) -> int:
        number = EXAMINED[call][column]
        assert number is not None
        return run(filter_, audit, number, *arguments)

    fork, sibling, cont = 0x1200011, 0x8000, 18
    assert outcome("clone", THREAD) == outcome("clone", fork) == ALLOW
    for namespace in (0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000):
        assert outcome("clone", THREAD | namespace) == ERROR | errno.EPERM
    assert outcome("clone", fork | sibling) == outcome("clone", cont) == ERROR | errno.EPERM
    pidfd = 0x1000
    assert outcome("clone", fork | pidfd) == ERROR | errno.EPERM
    for call, *before in (
        ("kill", 1),
        ("tkill", 1),
        ("tgkill", 1, 1),
        ("rt_sigqueueinfo", 1),
        ("rt_tgsigqueueinfo", 1, 1),
    ):
        assert outcome(call, *before, 15) == ALLOW
        assert outcome(call, *before, cont) == ERROR | errno.EPERM
    unix, inet, netlink, vsock = 1, 2, 16, 40
    assert outcome("socketpair", unix) == ALLOW
    for family in (unix, inet, netlink, vsock):
        assert outcome("socket", family) == ERROR | errno.EAFNOSUPPORT
    for family in (inet, netlink, vsock):
        assert outcome("socketpair", family) == ERROR | errno.EAFNOSUPPORT

    def only(call: str, before: tuple[int, ...], allowed: tuple[int, ...], error: int) -> None:
        for value in {*range(1, 1 << 8), 1 << 12, 1 << 20, 0x59616D61, *allowed}:
            expected = ALLOW if value in allowed else ERROR | error
            assert outcome(call, *before, value) == expected, (call, value)
        assert outcome(call, *before, allowed[0] | 1 << 32) == ALLOW, "the kernel looks at the low half"

    kind, last_error, cookie, netns_cookie = 3, 4, 57, 71
    get = (kind, last_error, 7, 8, 20, 21, 38, 39, 66, 67)
    only("getsockopt", (0, 1), get, errno.ENOPROTOOPT)
    assert not {cookie, netns_cookie} & {*get}
    ip, tcp = 0, 6
    for level in (ip, tcp):
        assert outcome("getsockopt", 0, level, kind) == ERROR | errno.ENOPROTOOPT
    only("setsockopt", (0, 1), (7, 8, 20, 21, 66), errno.ENOPROTOOPT)
    requests = (0x5401, 0x802C542A, 0x540F, 0x5413, 0x541B, 0x5411, 0x5421, 0x5450, 0x5451)
    only("ioctl", (0,), requests, errno.ENOTTY)
    tiocsti, fioasync, precache_extents = 0x5412, 0x5452, 0x6612
    for request in (tiocsti, fioasync, precache_extents):
        assert outcome("ioctl", 0, request) == ERROR | errno.ENOTTY
    only("fcntl", (0,), (0, 1, 2, 3, 4, 1030, 1032), errno.EPERM)
    direct, directory, set_flags, nonblock, o_async = {
        "x86_64": (0x4000, 0x10000, 4, 0x800, 0x2000),
        "aarch64": (0x10000, 0x4000, 4, 0x800, 0x2000),
    }[machine]
    assert outcome("openat", 0, 0, directory) == outcome("fcntl", 0, set_flags, nonblock) == ALLOW
    assert outcome("openat", 0, 0, direct | nonblock) == ERROR | errno.EPERM
    for flag in (direct, o_async):
        assert outcome("fcntl", 0, set_flags, flag | nonblock) == ERROR | errno.EPERM
    if machine == "x86_64":
        assert outcome("open", 0, directory) == ALLOW
        assert outcome("open", 0, direct | nonblock) == ERROR | errno.EPERM
    options = (2, 3, 15, 16, 21, 23, 29, 30, 38, 39, 40, 41, 42, 50, 51, 54, 55, 56, 60, 61, 66)
    only("prctl", (), options, errno.EINVAL)
    only("madvise", (0, 0), (1, 2, 3, 4, 8, 10, 11, 14, 15, 16, 17, 18, 19, 22, 23), errno.EINVAL)
    only("membarrier", (), (8, 16, 32, 64, 128, 256), errno.EINVAL)
    core, stack = 4, 3
    assert outcome("prlimit64", 0, stack) == outcome("setrlimit", stack) == ALLOW
    assert outcome("prlimit64", 0, core) == outcome("setrlimit", core) == ERROR | errno.EPERM
    append, nowait, do_not_cache, sync = 0x10, 0x8, 0x80, 0x2
    for call in ("preadv2", "pwritev2"):
        assert outcome(call, 0, 0, 0, 0, 0, 0) == outcome(call, 0, 0, 0, 0, 0, append) == ALLOW
        for flag in (nowait, do_not_cache, sync):
            for flags in (flag, append | flag):
                assert outcome(call, 0, 0, 0, 0, 0, flags) == ERROR | errno.EOPNOTSUPP
    shared, private, anonymous, huge = 1, 2, 0x20, 0x40000
    assert outcome("mmap", 0, 0, 0, private | anonymous) == outcome("mmap", 0, 0, 0, shared) == ALLOW
    assert outcome("mmap", 0, 0, 0, shared | anonymous) == ERROR | errno.EPERM
    assert outcome("mmap", 0, 0, 0, private | anonymous | huge) == ERROR | errno.EPERM


@pytest.mark.parametrize("machine", seccomp.MACHINES)
def test_a_single_threaded_program_is_refused_what_could_run_it_while_it_waits_for_its_input(machine: str) -> None:
    column, audit = seccomp.MACHINES[machine].column, seccomp.MACHINES[machine].audit
    calls = {**DENIED_ALONE, **EXAMINED_ALONE}

    def outcome(call: str, *arguments: int, single_threaded: bool = True) -> int:
        number = calls[call][column]
        if number is None:
            pytest.fail(f"{machine} has no {call}")
        return run(seccomp.program(machine, single_threaded=single_threaded), audit, number, *arguments)

    def refused(errno_: int, call: str, *arguments: int) -> None:
        assert outcome(call, *arguments) == ERROR | errno_, (call, arguments)
        assert outcome(call, *arguments, single_threaded=False) == ALLOW, (call, arguments)

    def allowed(call: str, *arguments: int) -> None:
        assert outcome(call, *arguments) == ALLOW, (call, arguments)

    for call in DENIED_ALONE:
        if calls[call][column] is not None:
            refused(errno.EAGAIN if call in {"clone", "fork", "vfork"} else errno.EPERM, call, THREAD)
    # Another file in the place of descriptor 0: at once, or after an exec that closes it.
    last, cloexec, close_all_at_exec = 0xFFFFFFFF, 0o2000000, 4
    refused(errno.EPERM, "close", 0)
    refused(errno.EPERM, "close", 1 << 32)
    refused(errno.EPERM, "close_range", 0, last, 0)
    refused(errno.EPERM, "close_range", 0, last, close_all_at_exec)
    refused(errno.EPERM, "dup3", 5, 0, cloexec)
    if machine == "x86_64":
        refused(errno.EPERM, "dup2", 5, 0)
        allowed("dup2", 0, 5)
    allowed("close", 5)
    allowed("close_range", 3, last, 0)
    allowed("dup3", 0, 5, cloexec)
    dup, get_flags, set_flags, set_close_at_exec, close_at_exec, keep_at_exec = 0, 3, 4, 2, 0x5451, 0x5450
    refused(errno.EPERM, "fcntl", 0, set_close_at_exec, 1)
    refused(errno.EPERM, "ioctl", 0, close_at_exec)
    for file, closes in ((0, 0), (5, 1)):
        allowed("fcntl", file, set_close_at_exec, closes)
    allowed("ioctl", 5, close_at_exec)
    allowed("ioctl", 0, keep_at_exec)
    # Signals that a file sends.
    set_owner, set_owner_ex, o_async, nonblock, read_write = 8, 15, 0x2000, 0x800, 2
    for file in (0, 5):
        for command in (set_owner, set_owner_ex):
            assert outcome("fcntl", file, command, 1) == ERROR | errno.EPERM
        assert outcome("fcntl", file, set_flags, o_async | nonblock) == ERROR | errno.EPERM
        allowed("fcntl", file, set_flags, nonblock | read_write)
        allowed("fcntl", file, dup, 0)
        allowed("fcntl", file, get_flags)
    # What every program is refused by its arguments.
    set_lock, set_signal, tiocsti = 6, 10, 0x5412
    for command in (set_lock, set_signal):
        assert outcome("fcntl", 0, command) == ERROR | errno.EPERM, command
    assert outcome("ioctl", 0, tiocsti) == ERROR | errno.ENOTTY


@pytest.mark.parametrize("machine", seccomp.MACHINES)
def test_calls_of_another_machine_kill_and_calls_of_later_kernels_are_unknown(machine: str) -> None:
    filter_ = seccomp.program(machine)
    audit = seccomp.MACHINES[machine].audit
    other = next(one.audit for one in seccomp.MACHINES.values() if one.audit != audit)
    assert run(filter_, other, 1) == KILL
    last_own, first_common = {"x86_64": (334, 424), "aarch64": (294, 424)}[machine]
    for number in (last_own + 1, first_common - 1, 462):
        assert run(filter_, audit, number) == ERROR | errno.ENOSYS
    assert run(filter_, audit, last_own) != ERROR | errno.ENOSYS


def test_calls_by_the_x32_numbers_kill() -> None:
    assert run(seccomp.program("x86_64"), seccomp.MACHINES["x86_64"].audit, 0x40000000 | 1) == KILL


def test_an_unknown_machine_is_refused_by_name() -> None:
    with pytest.raises(NoCageError, match="riscv64"):
        seccomp.program("riscv64")


@pytest.mark.parametrize("single_threaded", [False, True])
@pytest.mark.parametrize("machine", seccomp.MACHINES)
def test_a_lone_program_has_threads_and_no_other_process(machine: str, single_threaded: bool) -> None:
    filter_ = seccomp.program(machine, single_threaded=single_threaded, lone=True)
    column, audit = seccomp.MACHINES[machine].column, seccomp.MACHINES[machine].audit
    clone = EXAMINED["clone"][column]
    assert clone is not None
    fork, spawn, namespace = 0x1200011, 0x4111, 0x10000000
    assert run(filter_, audit, clone, THREAD) == (ERROR | errno.EAGAIN if single_threaded else ALLOW)
    assert run(filter_, audit, clone, fork) == run(filter_, audit, clone, spawn) == ERROR | errno.EAGAIN
    assert run(filter_, audit, clone, THREAD | namespace) != ALLOW
    for call in PROCESSES:
        number = PROCESSES[call][column]
        if number is not None:
            assert run(filter_, audit, number) == ERROR | errno.EAGAIN
