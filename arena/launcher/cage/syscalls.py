"""System calls that a caged program may make, with their numbers on x86_64 and on aarch64 (None: it has none).

Whatever is not in one of these tables is refused. They hold what CPython, wasmtime and static programs in C, Rust and
Go need to compute and to speak over pipes.
"""

Numbers = tuple[int | None, int | None]

ALLOWED: dict[str, Numbers] = {
    # What programs call most, which the filter looks for first.
    "read": (0, 63),
    "write": (1, 64),
    "ppoll": (271, 73),
    "poll": (7, None),
    "futex": (202, 98),
    "clock_gettime": (228, 113),
    "gettimeofday": (96, 169),
    "readv": (19, 65),
    "writev": (20, 66),
    "epoll_wait": (232, None),
    "epoll_pwait": (281, 22),
    "sched_yield": (24, 124),
    "nanosleep": (35, 101),
    "clock_nanosleep": (230, 115),
    "brk": (12, 214),
    "munmap": (11, 215),
    "mprotect": (10, 226),
    "mremap": (25, 216),
    "rt_sigprocmask": (14, 135),
    "rt_sigaction": (13, 134),
    "rt_sigreturn": (15, 139),
    # Files, of which the bot may write to those of its own folder alone.
    "pread64": (17, 67),
    "pwrite64": (18, 68),
    "preadv": (295, 69),
    "pwritev": (296, 70),
    "lseek": (8, 62),
    "creat": (85, None),
    "close": (3, 57),
    "close_range": (436, 436),
    "dup": (32, 23),
    "dup2": (33, None),
    "dup3": (292, 24),
    "stat": (4, None),
    "fstat": (5, 80),
    "lstat": (6, None),
    "newfstatat": (262, None),
    "statx": (332, 291),
    "access": (21, None),
    "faccessat": (269, 48),
    "faccessat2": (439, 439),
    "getdents": (78, None),
    "getdents64": (217, 61),
    "getcwd": (79, 17),
    "chdir": (80, 49),
    "fchdir": (81, 50),
    "readlink": (89, None),
    "readlinkat": (267, 78),
    "mkdir": (83, None),
    "mkdirat": (258, 34),
    "rmdir": (84, None),
    "unlink": (87, None),
    "unlinkat": (263, 35),
    "rename": (82, None),
    "renameat": (264, 38),
    "renameat2": (316, 276),
    "link": (86, None),
    "linkat": (265, 37),
    "symlink": (88, None),
    "symlinkat": (266, 36),
    "truncate": (76, 45),
    "ftruncate": (77, 46),
    "fallocate": (285, 47),
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "chown": (92, None),
    "fchown": (93, 55),
    "lchown": (94, None),
    "fchownat": (260, 54),
    "umask": (95, 166),
    "getxattr": (191, 8),
    "lgetxattr": (192, 9),
    "fgetxattr": (193, 10),
    "listxattr": (194, 11),
    "llistxattr": (195, 12),
    "flistxattr": (196, 13),
    # Waiting for several descriptors, and what wakes such a wait.
    "select": (23, None),
    "pselect6": (270, 72),
    "epoll_create": (213, None),
    "epoll_create1": (291, 20),
    "epoll_ctl": (233, 21),
    "epoll_pwait2": (441, 441),
    "eventfd": (284, None),
    "eventfd2": (290, 19),
    "timerfd_create": (283, 85),
    "timerfd_settime": (286, 86),
    "timerfd_gettime": (287, 87),
    "signalfd": (282, None),
    "signalfd4": (289, 74),
    # Pipes, and pairs of sockets, between a bot's own threads and processes.
    "pipe": (22, None),
    "pipe2": (293, 59),
    "sendto": (44, 206),
    "recvfrom": (45, 207),
    "sendmsg": (46, 211),
    "recvmsg": (47, 212),
    "sendmmsg": (307, 269),
    "recvmmsg": (299, 243),
    "shutdown": (48, 210),
    "getsockname": (51, 204),
    "getpeername": (52, 205),
    # Threads and processes, which cannot leave the cage.
    "fork": (57, None),
    "vfork": (58, None),
    "execve": (59, 221),
    "exit": (60, 93),
    "exit_group": (231, 94),
    "wait4": (61, 260),
    "waitid": (247, 95),
    "gettid": (186, 178),
    "getpid": (39, 172),
    "getppid": (110, 173),
    "set_tid_address": (218, 96),
    "set_robust_list": (273, 99),
    "get_robust_list": (274, 100),
    "rseq": (334, 293),
    "arch_prctl": (158, None),
    "restart_syscall": (219, 128),
    "pause": (34, None),
    # Signals and timers.
    "rt_sigpending": (127, 136),
    "rt_sigtimedwait": (128, 137),
    "rt_sigsuspend": (130, 133),
    "sigaltstack": (131, 132),
    "alarm": (37, None),
    "setitimer": (38, 103),
    "getitimer": (36, 102),
    "time": (201, None),
    "times": (100, 153),
    "clock_getres": (229, 114),
    # What a program is, and may use.
    "getuid": (102, 174),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getegid": (108, 177),
    "getresuid": (118, 148),
    "getresgid": (120, 150),
    "getgroups": (115, 158),
    "getpgid": (121, 155),
    "getpgrp": (111, None),
    "getsid": (124, 156),
    "capget": (125, 90),
    "getrlimit": (97, 163),
    "getrusage": (98, 165),
    "getpriority": (140, 141),
    "sched_getaffinity": (204, 123),
    "sched_getparam": (143, 121),
    "sched_getscheduler": (145, 120),
    "sched_getattr": (315, 275),
    "sched_get_priority_max": (146, 125),
    "sched_get_priority_min": (147, 126),
    "sched_rr_get_interval": (148, 127),
    "getcpu": (309, 168),
    "uname": (63, 160),
    "getrandom": (318, 278),
}

# Allowed by their arguments; arena.launcher.cage.seccomp says which.
EXAMINED: dict[str, Numbers] = {
    "clone": (56, 220),
    "fcntl": (72, 25),
    "getsockopt": (55, 209),
    "ioctl": (16, 29),
    "kill": (62, 129),
    "madvise": (28, 233),
    "membarrier": (324, 283),
    "mmap": (9, 222),
    "open": (2, None),
    "openat": (257, 56),
    "preadv2": (327, 286),
    "prctl": (157, 167),
    "prlimit64": (302, 261),
    "pwritev2": (328, 287),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "setrlimit": (160, 164),
    "setsockopt": (54, 208),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "tgkill": (234, 131),
    "tkill": (200, 130),
}

# What takes numbers of a counter that the whole machine has, allowed a few times: arena.launcher.cage.counted.
COUNTED: dict[str, Numbers] = {
    "pipe": (22, None),
    "pipe2": (293, 59),
    "socketpair": (53, 199),
}

# Refused as if the kernel did not have them, so that programs that try them first go on to an older way. What numbers
# a pidfd has tells how many processes the machine has started; the copies would go past the limits, or wait for others.
MISSING: dict[str, Numbers] = {
    "clone3": (435, 435),
    "copy_file_range": (326, 285),
    "execveat": (322, 281),
    "io_uring_setup": (425, 425),
    "memfd_create": (319, 279),
    "openat2": (437, 437),
    "pidfd_getfd": (438, 438),
    "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424),
    "sendfile": (40, 71),
    "splice": (275, 76),
    "timer_create": (222, 107),
}

# What would have the kernel write out files, or wait for disks, which everybody on the machine pays for: a cage has no
# file that outlives it. They do nothing and succeed.
IDLE: dict[str, Numbers] = {
    "sync": (162, 81),
    "syncfs": (306, 267),
    "fsync": (74, 82),
    "fdatasync": (75, 83),
    "sync_file_range": (277, 84),
    "msync": (26, 227),
    # POSIX_FADV_DONTNEED drops files from the cache that others read too.
    "fadvise64": (221, 223),
    "readahead": (187, 213),
    # Whoever may write to /dev/null, which all cages have, may set its time.
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
}

# Refused to a single-threaded program, what would give it another task, a timer that sends it a signal, a pipe
# beside the node's, or an end of a pipe that the kernel closes later, in flight to another.
DENIED_ALONE: dict[str, Numbers] = {
    "clone": (56, 220),
    "fork": (57, None),
    "vfork": (58, None),
    "setitimer": (38, 103),
    "alarm": (37, None),
    "pipe": (22, None),
    "pipe2": (293, 59),
    "sendmsg": (46, 211),
    "sendmmsg": (307, 269),
}

# Allowed to a single-threaded program by their arguments; arena.launcher.cage.seccomp says which.
EXAMINED_ALONE: dict[str, Numbers] = {
    "close": (3, 57),
    "close_range": (436, 436),
    "dup2": (33, None),
    "dup3": (292, 24),
    "fcntl": (72, 25),
    "ioctl": (16, 29),
}

# Refused, and allowed for threads alone, to a program that may have no other process: where no control group limits the
# memory of all of them together, the limits of each are all that there is.
PROCESSES: dict[str, Numbers] = {
    "fork": (57, None),
    "vfork": (58, None),
}
EXAMINED_LONE: dict[str, Numbers] = {
    "clone": (56, 220),
}

LAST_KNOWN = 450
"""The highest number that was looked at, on either machine: what came to the kernel later is refused unseen."""
