"""The system-call filter: two small BPF programs, assembled here and loaded without privileges.

`Filter.for_zygote` refuses what no program needs; it is installed once, before any fork, and inherited.
`Filter.for_child` is added in each child: it may start threads but no processes, send signals and ask questions only
to and about itself, and not change its limits. `docs/sandbox.md` says what is allowed and why.
"""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import struct

from microcoder_eval.sandbox.walls.syscalls import (
    AUDIT_ARCH,
    CLOCKS,
    CLONE,
    CLONE3,
    FCNTL,
    FORKS,
    GETPRIORITY,
    GETSOCKOPT,
    IOCTL,
    MACHINES,
    NEWEST,
    PRCTL,
    PRLIMIT,
    PROCESS_QUERIES,
    REFUSED,
    SCHED_GETAFFINITY,
    SCHED_GETPARAM,
    SCHED_GETSCHEDULER,
    SENDTO,
    SIGNALS,
    SOCKETPAIR,
    UNSUPPORTED,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

ALLOW = 0x7FFF0000
KILL = 0x80000000
LOAD, JUMP_EQUAL, JUMP_GREATER, JUMP_SET, AND, RETURN = 0x20, 0x15, 0x25, 0x45, 0x54, 0x06
NUMBER, ARCH, ARGUMENT = 0, 4, 16  # offsets in struct seccomp_data; an argument's low word comes first
CLONE_THREAD = 0x00010000
CLONE_NAMESPACES = 0x7E020000
AF_UNIX, SOCK_STREAM, SOCK_SEQPACKET = 1, 1, 5
ANY_WORD, SOCK_FLAGS = 0xFFFFFFFF, 0o2004000  # SOCK_CLOEXEC, SOCK_NONBLOCK
REFUSED_COMMANDS = {
    # F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE, F_NOTIFY: have the kernel send signals about a file
    # F_OFD_SETLK, F_OFD_SETLKW, F_SET_RW_HINT, F_SET_FILE_RW_HINT: would tell the next program on the same descriptor
    FCNTL: (8, 10, 15, 1024, 1026, 37, 38, 1036, 1038),
    # FIOSETOWN, SIOCSPGRP: the same as F_SETOWN; TIOCSTI, TIOCLINUX: put input into the user's terminal
    # FS_IOC_SETFLAGS, FS_IOC32_SETFLAGS, FS_IOC_FSSETXATTR: attributes of a file
    IOCTL: (0x8901, 0x8902, 0x5412, 0x541C, 0x40086602, 0x40046602, 0x401C5820),
}
REFUSED_SOCKET_OPTIONS = (17, 31, 59, 77)
"""SO_PEERCRED, SO_PEERSEC, SO_PEERGROUPS, SO_PEERPIDFD: who made the socket."""
FIXED_LIMITS = (resource.RLIMIT_AS, resource.RLIMIT_FSIZE)
PR_SET_PDEATHSIG, PR_SCHED_CORE = 1, 62
CLOCK_OF_A_PROCESS, CLOCK_OF_A_THREAD = 0x80000000, 4
"""Bits of a clock's number: the clock belongs to a process; with the second bit, to a thread of the caller's own."""
OWN_PID = 0xFFFFFFFF
"""Stands for the child's own process id until `Assembled.signal_only` fills it in."""
PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2


def refuse(code: int) -> int:
    """The filter's return value that makes a call fail with errno `code`. With 0, the call is skipped and returns 0."""
    return 0x00050000 | code


class Assembled:
    """A filter ready to be installed. Installing it in a child costs little more than the system call."""

    def __init__(self, lines: list[tuple[int, int, int, int]]) -> None:
        code = b"".join(struct.pack("=HBBI", *line) for line in lines)
        self._code = ctypes.create_string_buffer(code, len(code))
        self._program = struct.pack("@HP", len(lines), ctypes.addressof(self._code))
        self._pid_at = [8 * index + 4 for index, line in enumerate(lines) if line[3] == OWN_PID]
        # the arguments are converted before the fork: in each child that would write to forty pages instead of ten
        self._prctl = ctypes.CDLL(None).prctl
        self._arguments = (
            *(ctypes.c_ulong(number) for number in (PR_SET_SECCOMP, SECCOMP_MODE_FILTER)),
            ctypes.c_char_p(self._program),
            *(ctypes.c_ulong(0), ctypes.c_ulong(0)),
        )

    def signal_only(self, pid: int) -> None:
        """Fill in the one process that may be signalled."""
        for offset in self._pid_at:
            struct.pack_into("=I", self._code, offset, pid)

    def install(self) -> None:
        """Install the filter in this process; all that it starts inherits it. Needs no_new_privs or CAP_SYS_ADMIN."""
        if self._prctl(*self._arguments):
            raise OSError("the system-call filter was refused")


class Filter:
    """A BPF program under assembly. Rules are tried in order; a call that no rule refuses is allowed."""

    def __init__(self) -> None:
        machine = os.uname().machine
        if machine not in MACHINES:
            raise OSError(errno.ENOSYS, f"no system-call table for {machine}")
        self._column = MACHINES.index(machine)
        self._code: list[tuple[int, int, int, int]] = []
        self._add(LOAD, ARCH)
        self._add(JUMP_EQUAL, AUDIT_ARCH[machine], 1, 0)
        self._add(RETURN, KILL)
        self._add(LOAD, NUMBER)

    @classmethod
    def for_zygote(cls) -> Filter:
        program = cls()
        program._if_greater(NEWEST, refuse(errno.ENOSYS))  # also refuses the x32 calls: they carry a high bit
        program._if_equal(CLONE3[program._column], refuse(errno.ENOSYS))  # flags out of reach: libc uses clone
        for numbers in REFUSED.values():
            number = numbers[program._column]
            if number is not None:
                program._if_equal(number, refuse(errno.EPERM))
        for numbers in UNSUPPORTED.values():
            program._for_call(numbers[program._column], program._refusal(errno.ENOTSUP))
        program._only_connected_pairs(SOCKETPAIR[program._column])
        program._argument_must_be_null(SENDTO[program._column], 4)  # an address
        program._argument_must_not_be(GETSOCKOPT[program._column], 2, REFUSED_SOCKET_OPTIONS)
        for clocks in CLOCKS:
            program._only_own_clocks(clocks[program._column])
        program._argument_without_bits(CLONE[program._column], 0, CLONE_NAMESPACES)
        program._argument_must_equal(PRLIMIT[program._column], 0, 0)
        for call, commands in REFUSED_COMMANDS.items():
            program._argument_must_not_be(call[program._column], 1, commands)
        return program

    @classmethod
    def for_child(cls, *, alone: bool) -> Filter:
        """`alone`: the child is in a process namespace of its own, where it can reach no other process anyway."""
        program = cls()
        for forks in FORKS:
            number = forks[program._column]
            if number is not None:
                program._if_equal(number, refuse(errno.EPERM))
        program._add(JUMP_EQUAL, CLONE[program._column], 0, 4)
        program._add(LOAD, ARGUMENT)
        program._add(JUMP_SET, CLONE_THREAD, 1, 0)
        program._add(RETURN, refuse(errno.EPERM))
        program._add(RETURN, ALLOW)
        if not alone:
            for numbers in SIGNALS:
                program._argument_must_equal(numbers[program._column], 0, OWN_PID)
            for numbers in PROCESS_QUERIES:
                program._argument_must_be_own(numbers[program._column], 0, errno.EPERM)
            program._argument_must_be_own(GETPRIORITY[program._column], 1, errno.EPERM)
            # Mono asks about its threads by their numbers and needs an answer: it gets 0, which means SCHED_OTHER
            for numbers in (SCHED_GETPARAM, SCHED_GETSCHEDULER):
                program._argument_must_be_own(numbers[program._column], 0, 0)
            # libc asks about its threads by their numbers, and goes on after ENOSYS
            program._argument_must_be_own(SCHED_GETAFFINITY[program._column], 0, errno.ENOSYS)
        program._argument_must_not_be(PRCTL[program._column], 0, [PR_SET_PDEATHSIG, PR_SCHED_CORE])
        program._fix_limits(PRLIMIT[program._column])
        return program

    def assemble(self) -> Assembled:
        """The program as the kernel takes it."""
        return Assembled([*self._code, (RETURN, 0, 0, ALLOW)])

    def _add(self, operation: int, value: int, if_true: int = 0, if_false: int = 0) -> None:
        self._code.append((operation, if_true, if_false, value))

    def _if_equal(self, number: int, action: int) -> None:
        self._add(JUMP_EQUAL, number, 0, 1)
        self._add(RETURN, action)

    def _if_greater(self, number: int, action: int) -> None:
        self._add(JUMP_GREATER, number, 0, 1)
        self._add(RETURN, action)

    def _for_call(self, number: int | None, lines: Sequence[tuple[int, int, int, int]]) -> None:
        """Add lines that decide on one call: (operation, value, jump if true, jump if false). Every path returns."""
        if number is None:
            return
        self._add(JUMP_EQUAL, number, 0, len(lines))
        for line in lines:
            self._add(*line)

    def _refusal(self, code: int = errno.EPERM) -> list[tuple[int, int, int, int]]:
        return [(RETURN, refuse(code), 0, 0)]

    def _only_connected_pairs(self, number: int) -> None:
        """Allow stream and sequential sockets only: a datagram socket could send to any address."""
        lines = [
            (LOAD, ARGUMENT, 0, 0),
            (JUMP_EQUAL, AF_UNIX, 0, 4),
            (LOAD, ARGUMENT + 8, 0, 0),
            (AND, ANY_WORD - SOCK_FLAGS, 0, 0),
            (JUMP_EQUAL, SOCK_STREAM, 2, 0),
            (JUMP_EQUAL, SOCK_SEQPACKET, 1, 0),
        ]
        self._for_call(number, [*lines, *self._refusal(), (RETURN, ALLOW, 0, 0)])

    def _only_own_clocks(self, number: int) -> None:
        """Allow the system's clocks, clocks of the caller's threads, and those of process 0, which is the caller."""
        lines = [
            (LOAD, ARGUMENT, 0, 0),
            (JUMP_SET, CLOCK_OF_A_PROCESS, 0, 3),
            (JUMP_SET, CLOCK_OF_A_THREAD, 2, 0),
            (JUMP_GREATER, ANY_WORD - 8, 1, 0),
            (RETURN, refuse(errno.EINVAL), 0, 0),
            (RETURN, ALLOW, 0, 0),
        ]
        self._for_call(number, lines)

    def _argument_must_be_null(self, number: int, index: int) -> None:
        lines = []
        for half in (0, 4):
            lines += [(LOAD, ARGUMENT + 8 * index + half, 0, 0), (JUMP_EQUAL, 0, 1, 0), *self._refusal()]
        self._for_call(number, [*lines, (RETURN, ALLOW, 0, 0)])

    def _argument_must_be_own(self, number: int, index: int, code: int) -> None:
        """Allow an argument that is a process number only if it is 0 or the child's own."""
        lines = [(LOAD, ARGUMENT + 8 * index, 0, 0), (JUMP_EQUAL, 0, 2, 0), (JUMP_EQUAL, OWN_PID, 1, 0)]
        self._for_call(number, [*lines, *self._refusal(code), (RETURN, ALLOW, 0, 0)])

    def _argument_without_bits(self, number: int, index: int, bits: int) -> None:
        lines = [(LOAD, ARGUMENT + 8 * index, 0, 0), (JUMP_SET, bits, 0, 1)]
        self._for_call(number, [*lines, *self._refusal(), (RETURN, ALLOW, 0, 0)])

    def _argument_must_not_be(self, number: int, index: int, values: Sequence[int]) -> None:
        lines = [(LOAD, ARGUMENT + 8 * index, 0, 0)]
        for value in values:
            lines += [(JUMP_EQUAL, value, 0, 1), *self._refusal()]
        self._for_call(number, [*lines, (RETURN, ALLOW, 0, 0)])

    def _fix_limits(self, number: int) -> None:
        """Let prlimit read these limits and not set them: its third argument, the new limits, must be null."""
        self._add(JUMP_EQUAL, number, 0, 3 + len(FIXED_LIMITS) + 6)
        self._add(LOAD, ARGUMENT + 8)
        for place, limit in enumerate(FIXED_LIMITS):
            self._add(JUMP_EQUAL, limit, len(FIXED_LIMITS) - place, 0)
        self._add(RETURN, ALLOW)
        for half in (0, 4):
            self._add(LOAD, ARGUMENT + 16 + half)
            self._add(JUMP_EQUAL, 0, 1, 0)
            self._add(RETURN, refuse(errno.EPERM))
        self._add(RETURN, ALLOW)

    def _argument_must_equal(self, number: int, index: int, value: int) -> None:
        lines = [(LOAD, ARGUMENT + 8 * index, 0, 0), (JUMP_EQUAL, value, 1, 0)]
        self._for_call(number, [*lines, *self._refusal(), (RETURN, ALLOW, 0, 0)])
