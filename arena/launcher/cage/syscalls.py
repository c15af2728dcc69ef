"""System calls that a caged program is refused, with their numbers on x86_64 and on aarch64 (None: it has none)."""

Numbers = tuple[int | None, int | None]

DENIED: dict[str, Numbers] = {
    # Namespaces and mounts: the cage's walls.
    "unshare": (272, 97),
    "setns": (308, 268),
    "clone3": (435, 435),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "mount_setattr": (442, 442),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    # Other processes' memory and descriptors.
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    # Parts of the kernel with a long record of holes, which no bot needs.
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "vmsplice": (278, 75),
    "splice": (275, 76),
    "tee": (276, 77),
    "uselib": (134, None),
    "seccomp": (317, 277),
    "landlock_create_ruleset": (444, 444),
    "personality": (135, 92),
    "modify_ldt": (154, None),
    "lookup_dcookie": (212, 18),
    "nfsservctl": (180, 42),
    # The machine itself.
    "reboot": (169, 142),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "create_module": (174, None),
    "delete_module": (176, 106),
    "iopl": (172, None),
    "ioperm": (173, None),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "syslog": (103, 116),
    "vhangup": (153, 58),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    # Files by other ways than a path.
    "mknod": (133, None),
    "mknodat": (259, 33),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "openat2": (437, 437),
    # What a file system, the machine's memory and the cache of files hold tells what others do: a bot elsewhere, or
    # somebody outside who watches its match.
    "statfs": (137, 43),
    "fstatfs": (138, 44),
    "ustat": (136, None),
    "sysfs": (139, None),
    "sysinfo": (99, 179),
    "mincore": (27, 232),
    # Asynchronous I/O goes on while the program is frozen, and writes out files by a way of its own.
    "io_setup": (206, 0),
    # Memory that no limit on a process counts, and no folder's size.
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    # Locks and watches on files that other cages see too, and watchers, of which a user has few: ways to tell a twin
    # something.
    "flock": (73, 32),
    "inotify_add_watch": (254, 27),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    # What would have the kernel send a stopped process a SIGCONT later.
    "timer_create": (222, 107),
    "setpgid": (109, 154),
    # A session of its own, which the kernel's scheduler may give as much of the processors as all of another cage.
    "setsid": (112, 157),
    # A better place than others' on the processors, or one beside a program that is listened to.
    "sched_setaffinity": (203, 122),
    "sched_setattr": (314, 274),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "setpriority": (141, 140),
    # A better place than others' in the queues of the disks.
    "ioprio_set": (251, 30),
    # Memory on other processors' nodes.
    "mbind": (237, 235),
    "set_mempolicy": (238, 237),
    "set_mempolicy_home_node": (450, 450),
    "get_mempolicy": (239, 236),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
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

# Allowed by their arguments; arena.launcher.cage.seccomp says which.
EXAMINED: dict[str, Numbers] = {
    "clone": (56, 220),
    "fcntl": (72, 25),
    "ioctl": (16, 29),
    "kill": (62, 129),
    "madvise": (28, 233),
    "membarrier": (324, 283),
    "mmap": (9, 222),
    "open": (2, None),
    "openat": (257, 56),
    "pidfd_send_signal": (424, 424),
    "preadv2": (327, 286),
    "prctl": (157, 167),
    "prlimit64": (302, 261),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "setrlimit": (160, 164),
    "setsockopt": (54, 208),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "tgkill": (234, 131),
    "tkill": (200, 130),
}

# Beside all these, what would give a single-threaded program another task, a timer that sends it a signal, a pipe
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

LAST_KNOWN = 450
"""The highest number that was looked at, on either machine: what came to the kernel later is refused unseen."""
