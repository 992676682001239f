"""The image, the manifest and the Slurm script say what the command understands."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from microcoder_eval.connection.connect import read_addresses
from microcoder_eval.service.app import CALLS
from microcoder_eval.service.commands import serve

pytestmark = pytest.mark.fast

PIPELINES = Path(__file__).parents[3] / "pipelines"
DOCKERFILE = PIPELINES / "serve" / "Dockerfile"
INSTRUCTIONS = {"FROM", "RUN", "COPY", "USER", "WORKDIR", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK", "ENTRYPOINT", "CMD"}
OPEN = {call.path for call in CALLS if call.open}


def options(arguments: list[str]) -> dict[str, Any]:
    """The options of the command, read as it reads them."""
    return dict(serve.make_context("serve", list(arguments)).params)


def instructions() -> list[tuple[str, str]]:
    lines = [line for line in DOCKERFILE.read_text().splitlines() if line and not line.startswith("#")]
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1]) for line in lines]


def test_the_image_runs_the_service_without_root() -> None:
    found = instructions()
    names = [name for name, _ in found]
    assert set(names) <= INSTRUCTIONS
    said = dict(found)
    assert said["USER"] == "10001"
    assert not {"RUN", "COPY"} & set(names[names.index("USER") :])
    assert json.loads(said["ENTRYPOINT"]) == ["microcoder", "eval", "serve"]
    chosen = options(json.loads(said["CMD"]))
    assert (chosen["host"], str(chosen["port"])) == ("0.0.0.0", said["EXPOSE"])
    assert chosen["token_file"]
    probe = json.loads(said["HEALTHCHECK"].partition("CMD ")[2])
    path = re.search(rf":{said['EXPOSE']}(/\w+)", probe[2])
    assert path and path[1] in OPEN
    compile(probe[2], "probe", "exec")
    assert "[serve]" in next(text for name, text in found if name == "RUN" and "pip" in text)


def test_the_manifest_probes_what_there_is() -> None:
    deployment, service = yaml.safe_load_all((PIPELINES / "serve" / "kubernetes.yaml").read_text())
    pod = deployment["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    chosen = options(container["args"])
    port = container["ports"][0]["containerPort"]
    assert chosen["port"] == port == service["spec"]["ports"][0]["port"]
    assert pod["terminationGracePeriodSeconds"] > chosen["drain_s"]
    assert pod["securityContext"]["runAsNonRoot"]
    for probe in (container["livenessProbe"], container["readinessProbe"]):
        assert probe["httpGet"]["path"] in OPEN
        assert probe["httpGet"]["port"] == port
    mounts = [mount["mountPath"] for mount in container["volumeMounts"]]
    assert any(str(chosen["token_file"]).startswith(mount) for mount in mounts)
    assert service["spec"]["selector"] == deployment["spec"]["template"]["metadata"]["labels"]


def test_the_slurm_script_writes_addresses_that_connect_reads(tmp_path: Path) -> None:
    script = PIPELINES / "launch" / "grading_service.sbatch"
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "scontrol").write_text("#!/bin/sh\necho node1\necho node2\n")
    (tools / "srun").write_text('#!/bin/sh\ncp -p "$FOLDER"/* .\nprintf "%s\\n" "$@" > called\n')
    for tool in tools.iterdir():
        tool.chmod(0o755)
    environment = {"PATH": f"{tools}:/usr/bin:/bin", "FOLDER": str(tmp_path / "f"), "HOME": str(tmp_path)}
    environment |= {"SLURM_JOB_ID": "7", "SLURM_JOB_NODELIST": "node[1-2]"}
    python = tools / "python"
    python.symlink_to(subprocess.run(["which", "python3"], capture_output=True, text=True).stdout.strip())
    subprocess.run(["bash", str(script), "--problems", "p.jsonl"], env=environment, cwd=tmp_path, check=True)
    assert not list((tmp_path / "f").iterdir())  # the services have ended, and their addresses are gone
    found = read_addresses(f"file:{tmp_path / 'addresses'}")
    token = (tmp_path / "token").read_text().strip()
    assert found == [f"http://any:{token}@node{number}:20007" for number in (1, 2)]
    assert (tmp_path / "addresses").stat().st_mode & 0o077 == 0
    called = (tmp_path / "called").read_text().split("\n")
    chosen = options([word for word in called[called.index("serve") + 1 :] if word])
    assert (chosen["port"], str(chosen["problems"])) == (20007, "p.jsonl")
