"""The stage compare alone, at scale: memory and rows a second, with generated features instead of those of statements.

    python bench/compare_at_scale.py --rows 100000 300000 1000000
    python bench/compare_at_scale.py --rows 300000 --linked     # every row shares a name with about two others
    python bench/compare_at_scale.py --rows 20000 100000 --part 500000     # what grows when the parts do not
    python bench/compare_at_scale.py --rows 1000000 10000000 --shingles 25 # what grows with the rows alone

Every row has a hundred shingles (or as many as said), a fifth of them stock phrases; one row in ten is a near copy of
an earlier one anywhere, one in fifty has the same text. One process does all steps, so that its peak memory is that of
the driver and of a worker together. `peak_mb` counts files mapped from disk, which the kernel drops when memory is
short; `private_mb` does not. Rows are spread over shards of 10,000.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from measure import machine, measured

from microcoder_data.compare.features import FACTS, KIND_BITS, SAME_ID, SAME_NAME, SAME_SHINGLES, SAME_TEXT
from microcoder_data.compare.near import first_of_runs
from microcoder_data.compare.profile import ProfileFile, profile_line
from microcoder_data.compare.tokens import mixed
from microcoder_data.process.render import PROSE

SHARD = 10_000
PHRASES = 50_000
RUN = """
import json, resource, sys, threading, time
from pathlib import Path
from microcoder_data.compare.corpus import Corpus, Sizes
from microcoder_data.compare.reduce import decide
from microcoder_data.compare.settings import Compare
from microcoder_data.engine import make_engine
from microcoder_data.without_pandas import do_without_pandas
private = [0]
def watch():
    while True:
        for line in open("/proc/self/status"):
            if line.startswith("RssAnon"):
                private.append(max(private.pop(), int(line.split()[1]) // 1024))
        time.sleep(0.05)
if __name__ == "__main__":
    do_without_pandas()  # as a build does
    threading.Thread(target=watch, daemon=True).start()
    folder, rows, shard = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    counts = tuple(min(shard, rows - start) for start in range(0, rows, shard))
    names = tuple(f"{number:05d}" for number in range(len(counts)))
    part = int(sys.argv[4])
    sizes = Sizes(part, part // 4, part // 160, part // 40)
    corpus = Corpus(folder, folder + "/reduce", names, (0,) * len(counts), counts, sizes)
    before, began = time.process_time(), time.time()
    idle = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    counts = decide(Compare(), corpus, None, make_engine("local", 1), key="bench", select=False)
    said = {"wall_s": time.time() - began, "cpu_before_s": before, "idle_mb": idle}
    said |= {"peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, "private_mb": private[0]}
    said |= {"reasons": dict(counts["reasons"]), "largest_component": counts["largest_component"]}
    Path(sys.argv[-1]).write_text(json.dumps(said))
"""


def write_shard(
    folder: Path, number: int, first: int, count: int, total: int, linked: bool, shingles: int = 100
) -> None:
    """The features of rows `first` to `first + count`."""
    stock, replaced = shingles // 5, shingles // 25
    chance = np.random.default_rng([1, number])
    row = np.arange(first, first + count)
    near = (chance.random(count) < 0.1) & (row > 0)
    same = ~near & (chance.random(count) < 0.02) & (row > 0)
    family = np.where(near | same, (chance.random(count) * row).astype(np.int64), row)
    place = np.arange(shingles - stock, dtype=np.uint64)
    own = mixed(family[:, None].astype(np.uint64) * np.uint64(1000) + place)
    fresh = mixed(row[:, None].astype(np.uint64) * np.uint64(1000) + place + np.uint64(500))
    own[near, :replaced] = fresh[near, :replaced]
    # A copy of a row has its phrases too: they are drawn by the family.
    drawn = mixed(family[:, None].astype(np.uint64) * np.uint64(77) + np.arange(stock, dtype=np.uint64))
    hashes = np.concatenate([own, mixed(drawn % np.uint64(PHRASES))], axis=1) & ~np.uint64((1 << 24) - 1)
    keys = np.sort((hashes | np.arange(count, dtype=np.uint64)[:, None]).ravel())
    keys = keys[first_of_runs(keys)]
    np.save(folder / f"{number:05d}.keys.npy", keys)
    sizes = np.bincount((keys & np.uint64((1 << 24) - 1)).astype(np.int64), minlength=count)
    signature = mixed((own[:, 0] ^ np.uint64(7)) + np.where(near, row, 0).astype(np.uint64))
    names = (chance.random(count) * (total / (2 if linked else 20))).astype(np.uint64)
    named = np.flatnonzero(chance.random(count) < (1.0 if linked else 0.02))
    local = np.arange(count, dtype=np.uint64)
    entries = [(SAME_ID, mixed(row.astype(np.uint64)), local), (SAME_SHINGLES, signature, local)]
    entries += [
        (SAME_TEXT, signature, local),
        (SAME_NAME, mixed(names[named] + np.uint64(1 << 40)), named.astype(np.uint64)),
    ]
    buckets = np.concatenate(
        [np.stack([key, (np.uint64(kind) << KIND_BITS) | at]) for kind, key, at in entries], axis=1
    )
    np.save(folder / f"{number:05d}.buckets.npy", buckets[:, np.lexsort((buckets[1], buckets[0]))])
    np.savez(folder / f"{number:05d}.marks.npz", examples=np.empty((2, 0), np.uint64))
    facts = {
        "problem_id": [f"p{one}" for one in row], "tests": sizes.astype(np.int32), "contest_date": [None] * count,
        "grams": sizes.astype(np.int32), "level": ["easy"] * count, "predicted": [1.0] * count,
        "shingles": sizes.astype(np.int32), "failed": [None] * count,
    }  # fmt: skip
    pq.write_table(pa.table(facts, schema=FACTS), folder / f"{number:05d}.facts.parquet")
    profiles = ProfileFile()
    for one, of in zip(row.tolist(), family.tolist(), strict=True):
        profile = {
            "problem_id": f"p{one}", "title": "", "language": "en", "known_several": False,
            "kind": "stdin", "entry_point": "", "names": [], "samples": {}, "tests": {}, "weights": {},
            "said": {**dict.fromkeys(PROSE), "statement": f"count the words of story {of} " * 8},
        }  # fmt: skip
        profiles.add(profile_line(profile))
    (folder / f"{number:05d}.profiles.bin").write_bytes(profiles.body())
    np.save(folder / f"{number:05d}.profiles.npy", profiles.starts())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[100_000, 300_000, 1_000_000])
    parser.add_argument("--linked", action="store_true", help="every row has a name that about two others have")
    parser.add_argument("--shingles", type=int, default=100, help="shingles in a row")
    parser.add_argument("--part", type=int, default=2_000_000, help="shingles in a part; the other sizes follow")
    parser.add_argument("--out", default="bench/results/compare_at_scale.json")
    options = parser.parse_args()
    report = []
    for rows in options.rows:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for number, first in enumerate(range(0, rows, SHARD)):
                size = min(SHARD, rows - first)
                write_shard(folder, number, first, size, rows, options.linked, options.shingles)
            script = folder / "run.py"
            script.write_text(RUN)
            command = [sys.executable, str(script), str(folder), str(rows), str(SHARD), str(options.part)]
            said = measured(command, timeout_s=36_000)
        entry = {
            "rows": rows, "linked": options.linked, "part": options.part, "shingles": options.shingles,
            "wall_s": round(said["wall_s"], 1), "cpu_s": round(said["cpu_s"], 1),
            "rows_per_cpu_s": round(rows / said["cpu_s"]), "peak_mb": said["peak_mb"], "idle_mb": said["idle_mb"],
            "private_mb": said["private_mb"],
            "largest_component": said["largest_component"], "reasons": said["reasons"],
        }  # fmt: skip
        report.append(entry)
        print(json.dumps(entry), flush=True)
        Path(options.out).write_text(json.dumps({"machine": machine(), "runs": report}, indent=1) + "\n")
    if len(report) > 1:
        more = report[-1]["rows"] - report[0]["rows"]
        slope = {what: (report[-1][what] - report[0][what]) / more for what in ("cpu_s", "private_mb")}
        print(
            f"slope: {1e6 * slope['cpu_s']:.0f} us and {2**20 * slope['private_mb']:.0f} bytes of private memory a row"
        )


if __name__ == "__main__":
    main()
