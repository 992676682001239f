"""Which system calls the sandbox refuses, by name, with their numbers on x86_64 and aarch64.

A refused call fails with EPERM: a program that only tried it goes on, a program that needs it fails. `docs/sandbox.md`
lists all calls, refused and allowed, with the reason for each group: what could the call reach when only seccomp,
Landlock and limits hold? A test compares that table with this file and with the kernel's list.
"""

from __future__ import annotations

# name: (x86_64, aarch64); None where the machine does not have it
REFUSED: dict[str, tuple[int | None, int | None]] = {
    # network and addressed sockets (connected pairs stay: event loops and spawners need them)
    "socket": (41, 198), "connect": (42, 203), "accept": (43, 202), "bind": (49, 200), "listen": (50, 201),
    "accept4": (288, 242), "shutdown": (48, 210), "setsockopt": (54, 208), "sendmmsg": (307, 269),
    # other processes
    "tkill": (200, 130), "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "kcmp": (312, 272), "pidfd_open": (434, 434), "pidfd_getfd": (438, 438), "pidfd_send_signal": (424, 424),
    "process_madvise": (440, 440), "process_mrelease": (448, 448), "migrate_pages": (256, 238),
    "move_pages": (279, 239), "setpriority": (141, 140), "ioprio_set": (251, 30), "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119), "sched_setparam": (142, 118), "sched_setattr": (314, 274),
    "ioprio_get": (252, 31), "capget": (125, 90),
    # namespaces, mounts, roots
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41),
    "chroot": (161, 51), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265), "statmount": (457, 457),
    "listmount": (458, 458),
    # kernel facilities
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "keyctl": (250, 219), "add_key": (248, 217),
    "request_key": (249, 218), "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "reboot": (169, 142), "swapon": (167, 224),
    "swapoff": (168, 225), "acct": (163, 89), "quotactl": (179, 60), "quotactl_fd": (443, 443),
    "settimeofday": (164, 170), "clock_settime": (227, 112), "adjtimex": (159, 171), "clock_adjtime": (305, 266),
    "iopl": (172, None), "ioperm": (173, None), "modify_ldt": (154, None), "personality": (135, 92),
    "syslog": (103, 116), "vhangup": (153, 58), "sethostname": (170, 161), "setdomainname": (171, 162),
    "nfsservctl": (180, 42), "lookup_dcookie": (212, 18), "fanotify_init": (300, 262), "inotify_init": (253, None),
    "inotify_init1": (294, 26), "sync": (162, 81), "syncfs": (306, 267), "setrlimit": (160, 164),
    "ustat": (136, None), "sysfs": (139, None), "_sysctl": (156, None), "uselib": (134, None), "io_setup": (206, 0),
    # memory that no limit counts, and queues that others may use
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "semget": (64, 190), "semop": (65, 193),
    "semctl": (66, 191), "semtimedop": (220, 192), "msgget": (68, 186), "msgsnd": (69, 189), "msgrcv": (70, 188),
    "msgctl": (71, 187), "mq_open": (240, 180), "mq_unlink": (241, 181), "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    # file metadata
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, None),
    "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54), "utime": (132, None), "utimes": (235, None),
    "futimesat": (261, None), "utimensat": (280, 88), "setxattr": (188, 5), "lsetxattr": (189, 6),
    "fsetxattr": (190, 7), "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    "mknod": (133, None), "mknodat": (259, 33), "truncate": (76, 45),
}  # fmt: skip

UNSUPPORTED: dict[str, tuple[int | None, int | None]] = {
    # Landlock does not guard extended attributes; they fail with ENOTSUP, as on a file system without them
    "getxattr": (191, 8), "lgetxattr": (192, 9), "fgetxattr": (193, 10), "listxattr": (194, 11),
    "llistxattr": (195, 12), "flistxattr": (196, 13),
    # memory and disk that no size shows, beyond a file's end; libc's posix_fallocate writes instead
    "fallocate": (285, 47),
}  # fmt: skip

# calls that are decided by their arguments, or refused only in the child (`seccomp.py`)
FORKS = ((57, None), (58, None))
CLONE = (56, 220)
CLONE3 = (435, 435)
SOCKETPAIR, SENDTO, GETSOCKOPT = (53, 199), (44, 206), (55, 209)
CLOCKS = ((228, 113), (229, 114), (230, 115), (222, 107))
"""clock_gettime, clock_getres, clock_nanosleep, timer_create: their first argument may be another process's clock."""
PRLIMIT = (302, 261)
FCNTL, IOCTL, PRCTL = (72, 25), (16, 29), (157, 167)
SIGNALS = ((62, 129), (234, 131), (129, 138), (297, 240))  # kill, tgkill, rt_sigqueueinfo, rt_tgsigqueueinfo
SCHED_GETAFFINITY, GETPRIORITY = (204, 123), (140, 141)
PROCESS_QUERIES = ((121, 155), (124, 156), (315, 275), (148, 127), (274, 100))
"""getpgid, getsid, sched_getattr, sched_rr_get_interval, get_robust_list: the first argument is a process number."""
SCHED_GETPARAM, SCHED_GETSCHEDULER = (143, 121), (145, 120)

NEWEST = 462
"""Calls with a higher number did not exist when this list was written; they fail with ENOSYS."""

AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
MACHINES = ("x86_64", "aarch64")
