"""The sandbox on different hosts: as root, as an ordinary user, and where new name spaces are refused."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import microcoder_eval
from microcoder_eval.boundary.layers import LAYERS
from tests.eval.toolchains import needs

ALWAYS = {"seccomp", "landlock", "limits"}
REFUSE_UNSHARE = """
import errno, os, sys
from microcoder_eval.boundary import libc
from microcoder_eval.sandbox.walls.seccomp import Filter, refuse
libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
program = Filter()
program._if_equal({"x86_64": 272, "aarch64": 97}[os.uname().machine], refuse(errno.EPERM))
program.assemble().install()
os.execv(sys.argv[1], sys.argv[1:])
"""
EXAMINE = """
import json
from microcoder_eval.doctor.examine import examine
print(json.dumps(examine().to_dict()))
"""


def examine(*prefix: str, python: str = sys.executable, package: str) -> dict[str, object]:
    environment = {**os.environ, "PYTHONPATH": package}
    command = [*prefix, python, "-c", EXAMINE]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd="/", timeout=1200)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def states(examination: dict[str, object]) -> dict[str, str]:
    return {layer["name"]: layer["state"] for layer in examination["layers"]}  # type: ignore[attr-defined]


@pytest.fixture
def package(tmp_path: Path) -> str:
    """The package where every user can read it."""
    source = Path(microcoder_eval.__file__).parent
    place = Path("/var/tmp") / f"microcoder-test-{os.getpid()}"
    shutil.copytree(source, place / "microcoder_eval", dirs_exist_ok=True)
    for path in [place, *place.rglob("*")]:
        path.chmod(0o755)
    yield str(place)  # type: ignore[misc]
    shutil.rmtree(place)


def test_here_every_attack_is_stopped_and_no_layer_fails(package: str) -> None:
    found = examine(package=package)
    assert found["holds"], found
    assert set(states(found)) == set(LAYERS)
    assert all(states(found)[layer] == "holds" for layer in ALWAYS)


def test_without_name_spaces_every_attack_is_still_stopped(package: str) -> None:
    found = examine(sys.executable, "-c", REFUSE_UNSHARE, package=package)
    assert found["holds"], found
    assert {states(found)[name] for name in ("pid", "mount", "net", "ipc")} == {"missing"}
    assert all(states(found)[layer] == "holds" for layer in ALWAYS)


@pytest.mark.parametrize("refused", [False, True], ids=["name spaces allowed", "name spaces refused"])
def test_an_ordinary_user_is_protected_as_well(package: str, refused: bool) -> None:
    python = "/usr/bin/python3"
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        pytest.skip("needs root and setpriv to become another user")
    if not os.path.exists(python):
        pytest.skip(f"needs an interpreter that every user can read, such as {python}")
    become = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    refuse = [python, "-c", REFUSE_UNSHARE] if refused else []
    found = examine(*become, *refuse, python=python, package=package)
    assert found["holds"], found
    assert all(states(found)[layer] == "holds" for layer in ALWAYS)
    assert states(found)["user_id"] == "missing"


LACKING = ["setpriv", "--inh-caps=-all", "--bounding-set"]


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="needs root, to give up a part of it")
@pytest.mark.parametrize(
    "become",
    [
        [*LACKING, "-all"],
        [*LACKING, "-sys_admin"],
        [*LACKING, "-setuid,-setgid"],
        [*LACKING, "-chown"],
        ["unshare", "-Ur"],
    ],
    ids=["no capability", "no mounts", "no change of user", "no change of owner", "no other users"],
)
def test_root_of_a_container_that_lacks_capabilities_is_protected_as_well(package: str, become: list[str]) -> None:
    if subprocess.run([*become, "true"], check=False).returncode != 0:
        pytest.skip("this machine makes no such root")
    found = examine(*become, package=package)
    assert found["holds"], found
    assert all(states(found)[layer] == "holds" for layer in ALWAYS)


PRIVATE = """
import os
os.umask(0o077)
from microcoder_eval import Grader
with Grader(1) as grader:
    print(grader.run("import os; print(oct(os.umask(0)))").stdout)
    print(grader.run("#include <cstdio>\\nint main(){puts(\\"hi\\");}", "cpp").stdout)
"""


def test_a_user_with_a_private_umask_has_a_grader(package: str, tmp_path: Path) -> None:
    """Also root, who becomes `nobody`; and programs do not see what the user's umask was."""
    needs("cpp")
    environment = {**os.environ, "PYTHONPATH": package, "XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", PRIVATE], capture_output=True, text=True, env=environment, cwd="/")
    assert done.stdout.split() == ["0o22", "hi"], done.stderr


IN_A_CHROOT = """
import os, sys
from microcoder_eval.sandbox.walls.namespaces import enter
os.chroot(sys.argv[1])
print(enter(["mount"]))
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="chroot needs root")
def test_a_chroot_lacks_the_mount_layer_and_no_more(tmp_path: Path) -> None:
    """Its root is no mount point, so mounts cannot be replaced there: the grader did not start at all."""
    (tmp_path / "root").mkdir()
    command = [sys.executable, "-c", IN_A_CHROOT, str(tmp_path / "root")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "[]\n", done.stderr
