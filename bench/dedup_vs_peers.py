"""Near-duplicate detection side by side: CPU seconds, memory, recall and precision at Jaccard >= 0.7.

    python bench/dedup_vs_peers.py                    # 10,000 and 100,000 rows, every method that is installed
    pip install rensa datatrove==0.10.1 tokenizers spacy "xxhash<3.6"    # in an environment beside this project's

One run writes one file with all sizes and methods; what is not installed, or too slow for a size, is named in it. Each
method runs in a process of its own over the same generated statements (contest phrases, random prose, and planted
near-duplicates). The ground truth is computed separately, by plain sets over every pair that shares a rare shingle.
Wall time is not measured: other jobs may share the machine.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from itertools import accumulate
from pathlib import Path
from typing import Any

from measure import machine

THRESHOLD, SHINGLE, BANDS, ROWS = 0.7, 5, 14, 8
PHRASES = [
    "You are given an array of n integers and q queries.",
    "The first line contains a single integer t, the number of test cases. The description of the test cases follows.",
    "The first line of each test case contains two integers n and k.",
    "It is guaranteed that the sum of n over all test cases does not exceed 200000.",
    "For each test case, print a single integer, the answer to the problem.",
    "Print YES if it is possible and NO otherwise. You can print each letter in any case.",
    "If there are multiple answers, print any of them.",
    "Since the answer may be very large, print it modulo 1000000007.",
    "The second line contains n space separated integers a1 a2 an.",
    "In the first example the answer can be found by choosing the whole array.",
]
SYLLABLES = ["ka", "lo", "mi", "ren", "tu", "sor", "vel", "dan", "pi", "gra", "shu", "ton", "be", "qui", "zar", "no"]


def corpus(rows: int, seed: int = 7) -> list[str]:
    """Statements of about 235 words; one in ten is an edited copy of an earlier one."""
    chance = random.Random(seed)
    words = ["".join(chance.choices(SYLLABLES, k=chance.randint(1, 3))) for _ in range(6000)]
    weights = list(accumulate(1 / (rank + 10) for rank in range(len(words))))
    texts: list[str] = []
    for number in range(rows):
        if number > 100 and chance.random() < 0.1:
            texts.append(_edited(texts[chance.randrange(number)], words, chance))
            continue
        sentences = chance.sample(PHRASES, 5)
        for _ in range(12):
            sentence = " ".join(chance.choices(words, cum_weights=weights, k=chance.randint(8, 20)))
            sentences.append(sentence.capitalize() + ".")
        chance.shuffle(sentences)
        texts.append(" ".join(sentences))
    return texts


def _edited(text: str, words: list[str], chance: random.Random) -> str:
    parts = text.split(" ")
    for _ in range(chance.choice([1, 2, 4, 6, 8, 10, 14, 20])):
        parts[chance.randrange(len(parts))] = chance.choice(words)
    if chance.random() < 0.3:
        cut = chance.randrange(len(parts))
        del parts[cut : cut + 10]
    return " ".join(parts)


def shingles(text: str) -> set[str]:
    words = re.findall(r"\w+", text.lower())
    return {" ".join(words[i : i + SHINGLE]) for i in range(max(1, len(words) - SHINGLE + 1))} if words else set()


def truth(texts: list[str]) -> dict[tuple[int, int], float]:
    """All pairs at the threshold, by sets: candidates share one of their ten rarest shingles or more."""
    frequency: dict[int, int] = defaultdict(int)
    hashed = [{hash(shingle) for shingle in shingles(text)} for text in texts]
    for one in hashed:
        for shingle in one:
            frequency[shingle] += 1
    postings: dict[int, list[int]] = defaultdict(list)
    pairs: set[tuple[int, int]] = set()
    for number, one in enumerate(hashed):
        needed = len(one) - int(THRESHOLD * len(one)) + 1
        for shingle in sorted(one, key=lambda shingle: (frequency[shingle], shingle))[:needed]:
            if frequency[shingle] > 1:
                pairs.update((other, number) for other in postings[shingle])
                postings[shingle].append(number)
    found = {}
    for a, b in pairs:
        jaccard = len(hashed[a] & hashed[b]) / len(hashed[a] | hashed[b])
        if jaccard >= THRESHOLD:
            found[a, b] = jaccard
    return found


def ours(texts: list[str]) -> set[tuple[int, int]]:
    from microcoder_data.compare.near import near_pairs

    pairs = near_pairs(texts, THRESHOLD)
    return set(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True))


def datasketch(texts: list[str]) -> set[tuple[int, int]]:
    """The loop of datasketch's README: one update a shingle, then insert and query."""
    from datasketch import MinHash, MinHashLSH

    index = MinHashLSH(params=(BANDS, ROWS), num_perm=BANDS * ROWS)
    pairs = set()
    for number, text in enumerate(texts):
        sketch = MinHash(num_perm=BANDS * ROWS)
        for shingle in shingles(text):
            sketch.update(shingle.encode())
        pairs.update((other, number) for other in index.query(sketch))
        index.insert(number, sketch, check_duplication=False)
    return pairs


def rensa(texts: list[str]) -> set[tuple[int, int]]:
    from rensa import RMinHash, RMinHashLSH

    index = RMinHashLSH(threshold=THRESHOLD, num_perm=BANDS * ROWS, num_bands=BANDS)
    pairs = set()
    for number, text in enumerate(texts):
        sketch = RMinHash(num_perm=BANDS * ROWS, seed=42)
        sketch.update(list(shingles(text)))
        pairs.update((other, number) for other in index.query(sketch))
        index.insert(number, sketch)
    return pairs


def datatrove(texts: list[str]) -> set[tuple[int, int]]:
    """Its four local stages; clusters come back as pairs with each cluster's first document."""
    from datatrove.data import Document
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.dedup import (
        MinhashConfig,
        MinhashDedupBuckets,
        MinhashDedupCluster,
        MinhashDedupFilter,
        MinhashDedupSignature,
    )

    config = MinhashConfig(n_grams=SHINGLE, num_buckets=BANDS, hashes_per_bucket=ROWS)
    documents = [Document(text=text, id=str(number)) for number, text in enumerate(texts)]
    kept: set[int] = set()
    with tempfile.TemporaryDirectory() as folder:
        stages: list[list] = [
            [documents, MinhashDedupSignature(output_folder=f"{folder}/sig", config=config)],
            [MinhashDedupBuckets(input_folder=f"{folder}/sig", output_folder=f"{folder}/buckets", config=config)],
            [MinhashDedupCluster(input_folder=f"{folder}/buckets", output_folder=f"{folder}/remove", config=config)],
            [
                documents,
                MinhashDedupFilter(input_folder=f"{folder}/remove"),
                lambda data, rank, world: [kept.add(int(document.id)) for document in data],
            ],
        ]
        for number, stage in enumerate(stages):
            tasks = BANDS if number == 1 else 1
            LocalPipelineExecutor(stage, tasks=tasks, workers=1, logging_dir=f"{folder}/log{number}").run()
    return {(-1, number) for number in range(len(texts)) if number not in kept}


METHODS = {"ours": ours, "datasketch": datasketch, "rensa": rensa, "datatrove": datatrove}
AT_MOST = {"datatrove": 10_000}


def measured(method: str, path: str) -> dict[str, object]:
    """Run one method on the texts in a file: its CPU, children included, and its peak memory."""
    texts = json.loads(Path(path).read_text())
    before = time.process_time()
    pairs = METHODS[method](texts)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = time.process_time() - before + children.ru_utime + children.ru_stime
    return {"cpu_s": round(cpu, 2), "peak_mb": max(own_peak_mb(), children.ru_maxrss // 1024), "pairs": sorted(pairs)}


def own_peak_mb() -> int:
    """The peak memory of this program; getrusage would count that of the process that started it too."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    return int(found[1]) // 1024 if found else 0


def compared(rows: int) -> dict[str, object]:
    """All methods over one corpus."""
    texts = corpus(rows)
    wanted = truth(texts)
    print(f"{rows} statements, {len(wanted)} pairs at Jaccard >= {THRESHOLD}")
    report: dict[str, object] = {"rows": rows, "pairs_at_threshold": len(wanted)}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "texts.json")
        path.write_text(json.dumps(texts))
        del texts
        base = None
        for method in METHODS:
            if why := left_out(method, rows):
                report[method] = {"left_out": why}
                print(f"{method:12} {why}")
                continue
            result = in_a_process(method, path)
            if "failed" not in result:
                scored(method, result, wanted)
                base = base or result["cpu_s"]
                result["ratio"] = round(result["cpu_s"] / base, 1)
            report[method] = result
            print(f"{method:12}", json.dumps(result))
    return report


def left_out(method: str, rows: int) -> str:
    """Why a method is not run, if it is not."""
    if method != "ours" and importlib.util.find_spec(method) is None:
        return "not installed"
    return f"over {AT_MOST[method]} rows it takes too long" if rows > AT_MOST.get(method, rows) else ""


def in_a_process(method: str, path: Path) -> dict[str, Any]:
    command = [sys.executable, __file__, "--run", method, str(path)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode:
        return {"failed": (ended.stderr.strip().splitlines() or ["?"])[-1]}
    result: dict[str, Any] = json.loads(ended.stdout[ended.stdout.index('{"cpu_s"') :])
    return result


def scored(method: str, result: dict[str, Any], wanted: dict[tuple[int, int], float]) -> None:
    """Replace the pairs in a method's result by their recall and precision."""
    pairs = {tuple(pair) for pair in result.pop("pairs")}
    if method == "datatrove":  # it names the documents to remove, not pairs
        result["removed"] = len({b for _, b in pairs})
        return
    right = len(pairs & wanted.keys())
    result["recall"], result["precision"] = right / len(wanted), right / max(1, len(pairs))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[10_000, 100_000], help="100,000 need about 5 GB")
    parser.add_argument("--out", default="bench/results/dedup_vs_peers.json")
    parser.add_argument("--run", nargs=2, metavar=("METHOD", "FILE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        json.dump(measured(*options.run), sys.stdout)
        return
    report = {"machine": machine(), "sizes": [compared(rows) for rows in options.rows]}
    Path(options.out).parent.mkdir(parents=True, exist_ok=True)
    Path(options.out).write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
