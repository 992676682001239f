"""What the Dockerfile does, done in a plain directory: installed, started as its user, probed, stopped."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.eval.service.test_deployment import instructions

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
USER = 10001
SECRET = "the secret of an image"


@pytest.fixture
def image() -> Iterator[Path]:
    """A directory that any user may read, as an image's file system is."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def python_of_everybody() -> Path:
    """A Python that the image's user can run: this one, or the system's where this one is in a home directory."""
    complete = "import ensurepip, ssl, sys; sys.exit(sys.version_info < (3, 10))"
    for python in (Path(sys.executable), Path("/usr/local/bin/python3"), Path("/usr/bin/python3")):
        whole = (python.resolve(), *python.resolve().parents)
        readable = python.exists() and all(path.stat().st_mode & 0o005 == 0o005 for path in whole)
        if readable and not subprocess.run([python, "-c", complete], capture_output=True).returncode:
            return python
    pytest.skip("no Python here that another user can run")


def test_its_steps_give_a_service_that_answers(image: Path) -> None:
    steps = instructions()
    said = dict(steps)
    install = next(text for name, text in steps if name == "RUN" and text.startswith("pip install"))
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True)
    if listed.returncode:
        pytest.skip("needs a git checkout")
    for name in filter(None, listed.stdout.decode().split("\0")):  # COPY . /src
        if (ROOT / name).is_file():
            (image / "src" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, image / "src" / name)
    subprocess.run([python_of_everybody(), "-m", "venv", image / "env"], check=True)
    binaries = image / "env" / "bin"
    environment = {"PATH": f"{binaries}:/usr/bin:/bin", "HOME": str(image)}
    in_folder = install.replace("/src", str(image / "src"))
    installed = subprocess.run(["bash", "-c", in_folder], env={**os.environ, **environment}, capture_output=True)
    if b"No matching distribution" in installed.stderr:
        pytest.skip("needs a package index")
    assert installed.returncode == 0, installed.stderr.decode()[-2000:]
    assert not (image / "src").exists()

    home = image / "home"
    home.mkdir()
    (home / "token").write_text(SECRET)
    as_root = os.getuid() == 0
    if as_root:
        os.chown(home, USER, USER)
        os.chown(home / "token", USER, USER)
    with socket.create_server(("127.0.0.1", 0)) as found:
        port = str(found.getsockname()[1])
    words = [*json.loads(said["ENTRYPOINT"]), *json.loads(said["CMD"])]
    words = [{"/run/secrets/token": str(home / "token"), said["EXPOSE"]: port}.get(word, word) for word in words]
    process = subprocess.Popen(
        [str(binaries / words[0]), *words[1:]],
        cwd=home,
        env={**environment, "HOME": str(home)},
        stderr=subprocess.PIPE,
        text=True,
        user=USER if as_root else None,
        group=USER if as_root else None,
    )
    try:
        probe = json.loads(said["HEALTHCHECK"].partition("CMD ")[2])
        command = [str(binaries / "python"), "-c", re.sub(rf":{said['EXPOSE']}/", f":{port}/", probe[2])]
        deadline = time.monotonic() + 120
        while subprocess.run(command, env=environment, capture_output=True).returncode:
            assert process.poll() is None and time.monotonic() < deadline, process.stderr and process.stderr.read()
            time.sleep(0.2)
        ask = (
            "from microcoder_eval import connect, Problem\n"
            "problem = Problem.from_dict({'id': 's', 'tests': [{'input': '2', 'output': '4'}]})\n"
            f"grader = connect('http://127.0.0.1:{port}', token={SECRET!r})\n"
            "print(grader.grade(problem, '```python\\nprint(int(input()) * 2)\\n```').verdict)"
        )
        graded = subprocess.run([str(binaries / "python"), "-c", ask], env=environment, capture_output=True, text=True)
        assert graded.stdout.strip() == "ACCEPTED", graded.stderr
        process.send_signal(getattr(signal, said["STOPSIGNAL"]))
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.wait()
