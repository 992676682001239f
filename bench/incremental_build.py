"""The cost of `data build --base` when one row in a hundred is new, compared with a whole build: CPU time and bytes.

    python bench/incremental_build.py --rows 20000                # without execution
    python bench/incremental_build.py --rows 200 --execution      # every row's solutions are run

The rows are those of `pipeline_throughput.py`. The new ones are a source of their own; a twentieth of them are near
copies of rows of the base, anywhere in it, so that published shards change.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from measure import machine, measured
from pipeline_kill import published
from pipeline_throughput import write_rows

RUN = """
import json, sys, time
from pathlib import Path
from microcoder_data import Options, build, load_recipe, make_engine
if __name__ == "__main__":
    recipe, out, base, workers = sys.argv[1:5]
    before, began, stages = time.process_time(), time.time(), []
    def progress(stage, done, total, rows):
        if not stages or stages[-1][0] != stage:
            stages.append([stage, time.time(), 0.0])
        stages[-1][2] = time.time()
    engine = make_engine("local", int(workers))
    manifest = build(load_recipe(recipe), out, engine, Options(base=Path(base) if base else None), progress)
    engine.close()
    said = {"kept": manifest["rows"], "wall_s": time.time() - began, "cpu_before_s": before}
    said["stages"] = {name: round(end - start, 2) for name, start, end in stages}
    Path(sys.argv[-1]).write_text(json.dumps(said))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--execution", action="store_true", help="run the solutions of every row")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", help="add the result to this file")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_rows(folder / "old.jsonl", options.rows)
        with (folder / "old.jsonl").open() as file:
            copied = [text for line in file if (text := json.loads(line)["question"])]
        write_rows(folder / "new.jsonl", options.rows // 100, seed=7, first=options.rows, copied=copied)
        del copied
        lines = [f"  - {{source: taco, name: {one}, path: {folder / one}.jsonl}}\n" for one in ("old", "new")]
        more = "verify: {execution: {}}\n" if options.execution else ""
        for recipe, sources in (("base", lines[:1]), ("grown", lines)):
            (folder / f"{recipe}.yaml").write_text("name: bench\nsources:\n" + "".join(sources) + more)
        script = folder / "run.py"
        script.write_text(RUN)
        runs = {}
        for run, recipe, base in (("base", "base", ""), ("whole", "grown", ""), ("grown", "grown", folder / "base")):
            command = [sys.executable, str(script), str(folder / f"{recipe}.yaml"), str(folder / run), str(base)]
            runs[run] = measured([*command, str(options.workers)], timeout_s=36_000)
        wanted, found = published(folder / "whole"), published(folder / "grown")
        different = sorted(path for path in wanted.keys() | found.keys() if wanted.get(path) != found.get(path))
    entry = {
        "rows": options.rows, "new_rows": options.rows // 100, "execution": options.execution,
        "cpu_share": round(runs["grown"]["cpu_s"] / runs["whole"]["cpu_s"], 3),
        "wall_share": round(runs["grown"]["wall_s"] / runs["whole"]["wall_s"], 3),
        "files": len(wanted), "different_files": different,
        **{run: {"cpu_s": round(said["cpu_s"], 1), "stages": said["stages"]} for run, said in runs.items()},
    }  # fmt: skip
    print(json.dumps(entry))
    if options.out:
        path = Path(options.out)
        earlier = json.loads(path.read_text())["runs"] if path.exists() else []
        path.write_text(json.dumps({"machine": machine(), "runs": [*earlier, entry]}, indent=1) + "\n")


if __name__ == "__main__":
    main()
