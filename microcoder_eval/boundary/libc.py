"""Linux calls that Python has no function for, made through ctypes."""

from __future__ import annotations

import ctypes
import errno
import os

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_NO_NEW_PRIVS = 38
M_PERTURB = -6
READ, WRITE, EXECUTE = 1, 2, 4
PRIVATE_ANONYMOUS = 0x22


def call(name: str, *arguments: int | bytes | ctypes.Array | ctypes.Structure | None) -> int:
    """Call the libc function `name`; raises OSError with its errno when it returns -1."""
    return _checked(name, getattr(_libc, name)(*map(_as_c_argument, arguments)))


def syscall(number: int, *arguments: int | bytes | ctypes.Array | ctypes.Structure | None) -> int:
    """Make a system call that libc has no wrapper for; raises OSError with its errno when it returns -1."""
    return _checked(f"syscall {number}", _libc.syscall(ctypes.c_long(number), *map(_as_c_argument, arguments)))


def address(name: str, *arguments: int | None) -> int:
    """Call the libc function `name`, which returns an address, or -1 for an error."""
    returns_address = function(name)  # a new function object, because `call` needs another result type
    returns_address.restype = ctypes.c_ssize_t
    return _checked(name, returns_address(*map(_as_c_argument, arguments)))


def new_memory(size: int) -> int:
    """The address of so many new bytes, which may be read and written and are this process's own."""
    return address("mmap", None, size, READ | WRITE, PRIVATE_ANONYMOUS, -1, 0)


def function(name: str) -> ctypes._NamedFuncPointer:
    """The libc function `name`; raises OSError where there is none."""
    try:
        return _libc[name]
    except AttributeError as error:
        raise OSError(errno.ENOSYS, str(error)) from None


def prctl(option: int, argument: int = 0) -> None:
    call("prctl", option, argument, 0, 0, 0)


def overwrite_freed(does: bool) -> None:
    """Whether memory is overwritten when it is freed, except pieces of at most a kilobyte. Only glibc can do that."""
    if hasattr(_libc, "mallopt"):
        _libc.mallopt(M_PERTURB, does)


def _as_c_argument(argument: object) -> object:
    if isinstance(argument, int):
        return ctypes.c_ulong(argument & 0xFFFFFFFFFFFFFFFF)
    if isinstance(argument, ctypes.Structure):
        return ctypes.byref(argument)
    return argument


def _checked(name: str, result: int) -> int:
    if result == -1:
        code = ctypes.get_errno()
        raise OSError(code, f"{name}: {os.strerror(code)}")
    return result
