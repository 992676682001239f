"""Puts a process behind all layers: zygote and launcher call `raise_walls` once, before their first request."""

from __future__ import annotations

import _signal
import _socket
import os
import struct

from microcoder_eval.boundary import libc
from microcoder_eval.boundary.box_protocol import CONTROL, REQUEST, RESULT, SESSION
from microcoder_eval.boundary.huge_file import huge_file
from microcoder_eval.sandbox.walls import landlock, limits, namespaces, privileges
from microcoder_eval.sandbox.walls.seccomp import Filter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def place_descriptors(handed: list[int]) -> None:
    """Move the descriptors that this process was started with to their fixed numbers."""
    # first to numbers above all of them: otherwise one could overwrite another
    spare = max(RESULT, *handed) + 1
    for number, fd in enumerate(handed, start=spare):
        os.dup2(fd, number)
        os.close(fd)
    for number, place in enumerate((CONTROL, REQUEST, SESSION, RESULT), start=spare):
        os.dup2(number, place)
        os.close(number)


def enter_namespaces(config: dict[str, Any]) -> list[str]:
    """Enter the namespaces that the machine allows, and go on in the first process of them; returns their layers."""
    # a process inherits which signals are ignored, for example from nohup
    for number in (_signal.SIGINT, _signal.SIGQUIT, _signal.SIGHUP, _signal.SIGTERM):
        _signal.signal(number, _signal.SIG_DFL)
    os.umask(0o022)  # with a stricter umask of the user's, `nobody` could not enter the directories that are made here
    held = namespaces.enter(config["layers"])
    if "pid" in held:
        _continue_as_first_process()
    return held


def raise_walls(config: dict[str, Any], entered: list[str]) -> list[str]:
    """Put this process behind the layers that the machine allows; returns all that hold. `entered`: its namespaces."""
    wanted: list[str] = config["layers"]
    held = [*entered]
    writable = [config["box"], *_replace_stdout()]
    to_nobody = "user_id" in wanted and privileges.may_become_nobody()
    if "mount" in held:
        owner = privileges.NOBODY if to_nobody else None
        namespaces.build_root(
            config["root"], config["readable"], config["devices"], config["box"], owner, config.get("box_bytes")
        )
    else:
        os.chdir(config["box"])
    if "limits" in wanted:
        limits.limit_zygote()
        held.append("limits")
    # if the user `nobody` cannot read the interpreter, the process stays root, without root's capabilities
    needed = [os.__file__, *config.get("needed", ())]
    if to_nobody and all(map(privileges.readable_by_all, needed)):
        privileges.become_nobody()
        held.append("user_id")
    privileges.forbid_new_privileges()
    privileges.drop_capabilities()
    privileges.hide_from_same_user()
    libc.prctl(libc.PR_SET_PDEATHSIG, _signal.SIGKILL)  # after the change of user, which clears it
    if "landlock" in wanted and landlock.version():
        landlock.restrict(config["readable"], config["devices"], writable)
        held.append("landlock")
    if "seccomp" in wanted:
        Filter.for_zygote().assemble().install()
        held.append("seccomp")
    return held


def _replace_stdout() -> list[str]:
    """Make a file of huge pages this process's stdout, where it may mount; returns its path, for Landlock."""
    try:
        file = huge_file()
    except OSError:
        return []
    os.fchmod(file, 0o666)  # as a memory file: a program may open /dev/stdout, also as `nobody`
    os.dup2(file, 1)
    os.close(file)
    return ["/proc/self/fd/1"]


def _continue_as_first_process() -> None:
    """Fork into the new process namespace. The outer process waits for the inner one and ends with its status."""
    pid = os.fork()
    if pid == 0:
        return
    libc.prctl(libc.PR_SET_PDEATHSIG, _signal.SIGKILL)
    for fd in range(7):
        os.close(fd)
    _, status = os.waitpid(pid, 0)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def report(layers: list[str]) -> None:
    """Send the supervisor the layers that hold, and descriptors of the working directory and of stdout.

    No descriptor is sent later, so that the last limit follows.
    """
    directory = os.open(".", os.O_RDONLY)
    control = _socket.socket(fileno=os.dup(CONTROL))
    rights = (_socket.SOL_SOCKET, _socket.SCM_RIGHTS, struct.pack("=2i", directory, 1))
    control.sendmsg([" ".join(layers).encode() or b"-"], [rights])
    control.close()
    os.close(directory)
    if "limits" in layers:
        limits.limit_files()
