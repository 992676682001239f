"""Kill a build with -9 at random moments, resume it, and compare every published byte with an undisturbed build.

    python bench/pipeline_kill.py --kills 20 --rows 1500 --workers 2
    python bench/pipeline_kill.py --full-disk /mnt/small      # a small file system that fills up in the middle

The whole process group of the build is killed, or with --parent-only its parent alone, so that orphans are met too.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measure import machine
from pipeline_throughput import write_rows

RUN = """
import sys
from microcoder_data.commands import data
if __name__ == "__main__":
    data(sys.argv[1:])
"""


def published(directory: Path) -> dict[str, str]:
    """Every published file and its checksum; work/ is not part of the dataset."""
    return {
        str(path.relative_to(directory)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(directory.rglob("*"))
        if path.is_file() and "work" not in path.relative_to(directory).parts and path.name != ".lock"
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--rows", type=int, default=1500)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--parent-only", action="store_true")
    parser.add_argument("--full-disk", type=Path, help="a directory on a small file system")
    parser.add_argument("--json", type=Path, help="keep the result in this file")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "run.py").write_text(RUN)
        write_rows(folder / "rows.jsonl", options.rows)
        recipe = folder / "recipe.yaml"
        recipe.write_text(
            f"name: kill\npart_bytes: 200000\nsources: [{{source: taco, path: {folder / 'rows.jsonl'}}}]\n"
        )

        def command(out: Path, *more: str) -> list[str]:
            start = [sys.executable, str(folder / "run.py"), "build", str(recipe), "--out", str(out)]
            return [*start, "--workers", str(options.workers), *more]

        began = time.monotonic()
        subprocess.run(command(folder / "calm"), check=True, capture_output=True)
        whole = time.monotonic() - began
        wanted = published(folder / "calm")
        print(f"an undisturbed build takes {whole:.1f} s and publishes {len(wanted)} files")
        if options.full_disk:
            full_disk(options.full_disk, command, wanted)
            return
        killed = 0
        out = folder / "killed"
        while killed < options.kills:
            build = subprocess.Popen(
                command(out, "--resume"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
            )
            started = time.monotonic()
            try:
                build.wait(chance.uniform(0.3, whole))
            except subprocess.TimeoutExpired:
                pass
            else:
                whole = time.monotonic() - started  # the machine is less busy now
                check(out, wanted, f"after {killed} kills in all")
                shutil.rmtree(out)
                continue
            if options.parent_only:
                os.kill(build.pid, signal.SIGKILL)
            else:
                os.killpg(build.pid, signal.SIGKILL)
            build.wait()
            killed += 1
        subprocess.run(command(out, "--resume"), check=True, capture_output=True)
        check(out, wanted, f"after {killed} kills")
        if options.json:
            found = {"rows": options.rows, "workers": options.workers, "kills": killed, "files": len(wanted)}
            options.json.write_text(json.dumps({"machine": machine(), **found, "identical": True}, indent=1) + "\n")


def check(out: Path, wanted: dict[str, str], when: str) -> None:
    found = published(out)
    if found != wanted:
        different = sorted(name for name in found.keys() | wanted.keys() if found.get(name) != wanted.get(name))
        raise SystemExit(f"{when}: {len(different)} files differ: {different[:5]}")
    print(f"{when}: byte-identical")


def full_disk(small: Path, command: object, wanted: dict[str, str]) -> None:
    """Build onto a full file system; free space; resume."""
    filler, out = small / "filler", small / "out"
    free = shutil.disk_usage(small).free
    filler.write_bytes(b"\0" * max(0, free - 600_000))
    ended = subprocess.run(command(out), capture_output=True, text=True)  # type: ignore[operator]
    print(f"on a full disk: status {ended.returncode}: {ended.stderr.strip().splitlines()[-1]}")
    if ended.returncode == 0:
        raise SystemExit("the disk did not fill up: use a smaller file system or more rows")
    filler.unlink()
    subprocess.run(command(out, "--resume"), check=True, capture_output=True)  # type: ignore[operator]
    check(out, wanted, "after freeing space")


if __name__ == "__main__":
    main()
