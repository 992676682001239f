"""Rows a second and memory of a whole build without models and execution, at two sizes, and the slope between them.

    python bench/pipeline_throughput.py --rows 10000 100000 --workers 2
    python bench/pipeline_throughput.py --rows 5000 20000 --workers 1 --texts RAW... --out FILE
    python bench/pipeline_throughput.py --rows 200 1500 --before CHECKOUT --records mbpp=mbpp.jsonl --out FILE

The rows are generated in TACO's own schema: statements of about 2 KB, a dozen tests, one in twenty a near-duplicate,
one in fifty broken. With `--texts` the statements are random paragraphs of publishers' files (JSON lines).
CPU is that of all processes. `build_mb` is the memory of the build's main process, which with one worker does all the
work, with files mapped from disk; `private_mb` is without those, `worker_private_mb` that of the largest worker.
With `--before` another checkout of this project builds the same rows in turn, and the ratio of rows per CPU second is
taken pair by pair. `stages_cpu_s` is the CPU of the main process by stage (the median), with one worker all of it.
`--records SOURCE=FILE` adds a publisher's records, as many as the first of `--rows`: they are copied until there are
enough, with other words in each copy, and duplicates are not searched.
"""

from __future__ import annotations

import argparse
import compileall
import json
import random
import re
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from dedup_vs_peers import PHRASES, SYLLABLES
from measure import machine, measured

HERE = Path(__file__).resolve().parent.parent
RUN = """
import json, resource, sys, threading, time
from pathlib import Path
import psutil
from microcoder_data import Options, build, load_recipe, make_engine
private = {"private_mb": 0, "worker_private_mb": 0}
def note(which, pid):
    for line in open(f"/proc/{pid}/status"):
        if line.startswith("RssAnon"):
            private[which] = max(private[which], int(line.split()[1]) // 1024)
def watch():
    while True:
        note("private_mb", "self")
        for worker in psutil.Process().children(recursive=True):
            try:
                note("worker_private_mb", worker.pid)
            except OSError:
                pass  # it has ended
        time.sleep(1)
if __name__ == "__main__":
    threading.Thread(target=watch, daemon=True).start()
    before, began, stages = time.process_time(), time.time(), []
    def progress(stage, done, total, rows):
        if not stages or stages[-1][0] != stage:
            stages.append([stage, time.time(), 0.0, time.process_time()])
        stages[-1][2] = time.time()
    engine = make_engine("local", int(sys.argv[3]))
    manifest = build(load_recipe(sys.argv[1]), sys.argv[2], engine, Options(), progress)
    engine.close()
    said = {"kept": manifest["rows"], "wall_s": time.time() - began, "cpu_before_s": before}
    said["build_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    said |= private
    said["stages"] = [f"{name}={end - start:.1f}s" for name, start, end, _ in stages]
    starts = [cpu for _, _, _, cpu in stages]
    ends = [*starts[1:], time.process_time()]
    said["stages_cpu_s"] = {stages[n][0]: ends[n] - start for n, start in enumerate(starts)}
    Path(sys.argv[-1]).write_text(json.dumps(said))
"""

WORDS = " ".join(
    (
        "the of a to is in and that each for with are you given this from will number array string length value find",
        "node tree edge graph path city road sum index position element integer sequence pair cost minimum maximum",
        "possible ways which every after before between at most least exactly line contains first second letters",
        "digits operations choose move robot cell grid row column player game turn wins color segment point distance",
        "time day order sorted distinct equal positive subset permutation divide multiply increase decrease remove",
        "insert replace count answer answerer people friend shop price coin weight capacity water tower bridge island",
        "letter word list table house street train station",
    )
).split()


def paragraphs(paths: list[Path]) -> list[str]:
    """The paragraphs of every long text in the records, without samples and headings."""
    found = []
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            texts = [text for text in json.loads(line).values() if isinstance(text, str) and len(text) > 300]
            found += [part for text in texts for part in text.split("\n\n") if 80 < len(part) < 800]
    return sorted({part for part in found if "put" not in part and "```" not in part})


def statement(chance: random.Random, words: list[str], texts: Sequence[str]) -> str:
    if texts:
        return in_sections(chance, "\n\n".join(chance.sample(texts, 7)))
    sentences = chance.sample([phrase for phrase in PHRASES if "any of them" not in phrase], 3)
    for _ in range(16):
        sentence = " ".join(chance.choices(WORDS, k=chance.randint(8, 18)))
        rare = chance.choice(words)
        sentences.append(
            f"{sentence.capitalize()}, and the number of the {rare} is $a_{{{chance.randint(1, 9)}}} \\le n$."
        )
    chance.shuffle(sentences)
    return in_sections(chance, " ".join(sentences))


def in_sections(chance: random.Random, body: str) -> str:
    return (
        f"{body}\n\n-----Input-----\n\nThe first line contains two integers n and m.\n\n-----Output-----\n\n"
        f"Print one integer, the answer.\n\n-----Examples-----\nInput\n3 4\n1 2 3\n\nOutput\n{chance.randint(1, 99)}\n"
    )


def write_rows(
    path: Path, count: int, texts: Sequence[str] = (), seed: int = 3, first: int = 0, copied: Sequence[str] = ()
) -> None:
    """Rows numbered from `first`, one in twenty a near copy of an earlier one, or of one of the statements `copied`."""
    chance = random.Random(seed)
    words = ["".join(chance.choices(SYLLABLES, k=chance.randint(1, 3))) for _ in range(3000)]
    with path.open("w") as file:
        earlier: list[str] = []
        for number in range(count):
            text = statement(chance, words, texts)
            if (earlier or copied) and number % 20 == 0:
                text = chance.choice(copied or earlier).replace(chance.choice(words), "another", 1)
            elif len(earlier) < 1000:
                earlier.append(text)
            inputs = [f"{n} 4\n" + " ".join(str(chance.randint(1, 10**6)) for _ in range(20)) for n in range(1, 13)]
            outputs = [str(chance.randint(1, 10**9)) for _ in inputs]
            record = {
                "question": text if number % 50 else "",
                "solutions": json.dumps(["n, m = map(int, input().split())\nprint(n * m)"]),
                "starter_code": "",
                "input_output": json.dumps({"inputs": inputs, "outputs": outputs}),
                "difficulty": chance.choice(["EASY", "MEDIUM", "HARD"]),
                "tags": "['math']",
                "source": "codeforces",
                "url": f"https://codeforces.com/problemset/problem/{first + number + 1}/A",
                "time_limit": "2.0 seconds",
                "memory_limit": "256.0 megabytes",
            }
            file.write(json.dumps(record) + "\n")


# Words that rules look for and words of code stay; others of a statement may change.
KEPT_WORDS = frozenset(
    " ".join(
        (
            "answer answers candidate collections constraint constraints description english example examples format",
            "explanation follow followed function functions functools global import integer integers instructions",
            "introduction lambda leetcode multiple number numbers output outputs possible printed prints problem",
            "problems pytest python random return returned returns sample samples solution solutions sorted standard",
            "statement string strings struct typing",
        )
    ).split()
)
WORD = re.compile(r"(?<![\\</.\w'\"-])[a-z]{6,}(?![\w(.\"'=/-])")


def write_copies(path: Path, records: Path, count: int) -> int:
    """Copies of the records, at least `count`, with other words from the second copy on; returns how many."""
    lines = records.read_text(encoding="utf-8").splitlines()
    copies = -(-count // len(lines))
    with path.open("w", encoding="utf-8") as file:
        for number in range(copies):
            chance = random.Random(number)
            words: dict[str, str] = {}

            def other(found: re.Match[str], words: dict[str, str] = words, chance: random.Random = chance) -> str:
                word = found[0]
                if word not in words:
                    changes = word not in KEPT_WORDS and chance.random() < 0.5
                    words[word] = word[:-2] + word[-1] + word[-2] + chance.choice("aeiou") if changes else word
                return words[word]

            for line in lines:
                record = json.loads(line)
                file.write(json.dumps(_with_words(record, other) if number else record) + "\n")
    return copies * len(lines)


def _with_words(value: Any, other: Callable[[re.Match[str]], str]) -> Any:
    if isinstance(value, str):
        return WORD.sub(other, value)
    if isinstance(value, list):
        return [_with_words(item, other) for item in value]
    return {key: _with_words(item, other) for key, item in value.items()} if isinstance(value, dict) else value


def inputs(options: argparse.Namespace, folder: Path) -> list[tuple[str, int, Path]]:
    """What is built: its name, its rows and its recipe."""
    found = []
    texts = paragraphs(options.texts)
    for count in options.rows:
        for name, given in (("made up", ()), ("mixed paragraphs", texts)) if options.before else (("rows", texts),):
            if name != "mixed paragraphs" or texts:
                path = folder / f"{name.replace(' ', '-')}{count}.jsonl"
                write_rows(path, count, given)
                found.append((name, count, _recipe(path, {"source": "taco"}, part_bytes=options.part_bytes)))
    for pair in options.records:
        source, _, records = pair.partition("=")
        path = folder / f"{len(found)}.jsonl"
        copied = write_copies(path, Path(records), options.rows[0])
        recipe = _recipe(path, {"source": source}, compare={"duplicates": False})
        found.append((Path(records).stem, copied, recipe))
    return found


def _recipe(path: Path, source: dict[str, str], **settings: Any) -> Path:
    recipe = path.with_suffix(".yaml")
    recipe.write_text(json.dumps({"name": "bench", "sources": [{**source, "path": str(path)}], **settings}))
    return recipe


def built(script: Path, recipe: Path, rows: int, workers: int, checkout: Path) -> dict[str, Any]:
    """One build by a checkout."""
    with tempfile.TemporaryDirectory() as out:
        command = [
            "env",
            f"PYTHONPATH={checkout}",
            sys.executable,
            str(script),
            str(recipe),
            f"{out}/set",
            str(workers),
        ]
        said = measured(command, timeout_s=36_000)
    wall, cpu = said["wall_s"], said["cpu_s"]
    return {
        "rows": rows, "kept": said["kept"], "wall_s": round(wall, 1), "cpu_s": round(cpu, 1),
        "rows_per_s": round(rows / wall), "rows_per_cpu_s": round(rows / cpu),
        "build_mb": said["build_mb"], "private_mb": said["private_mb"], "worker_private_mb": said["worker_private_mb"],
        "stages": said["stages"], "stages_cpu_s": {"start": said["cpu_before_s"], **said["stages_cpu_s"]},
    }  # fmt: skip


def compared(script: Path, recipe: Path, rows: int, options: argparse.Namespace) -> dict[str, Any]:
    """Builds by this checkout and by the one before, in turn; the ratio of each pair."""
    for checkout in (options.before, HERE):  # else a build may compile the checkout's files, or find them compiled
        compileall.compile_dir(checkout, maxlevels=4, quiet=1, rx=re.compile(r"/\.venv/"))
    pairs = [
        [built(script, recipe, rows, options.workers, checkout) for checkout in (options.before, HERE)]
        for _ in range(options.rounds)
    ]
    ratios = [round(now["rows_per_cpu_s"] / before["rows_per_cpu_s"], 3) for before, now in pairs]
    before, now = pairs[-1]
    stages, stages_before = (
        {
            stage: round(statistics.median(pair[place]["stages_cpu_s"][stage] for pair in pairs), 2)
            for stage in pairs[0][place]["stages_cpu_s"]
        }
        for place in (1, 0)
    )
    return {
        "rows": rows, "ratio": round(statistics.median(ratios), 3), "ratios": ratios, "kept": now["kept"],
        "kept_before": before["kept"], "rows_per_cpu_s": now["rows_per_cpu_s"],
        "rows_per_cpu_s_before": before["rows_per_cpu_s"], "stages_cpu_s": stages,
        "stages_cpu_s_before": stages_before,
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--texts", type=Path, nargs="+", default=[], help="files whose paragraphs make the statements")
    parser.add_argument("--records", nargs="+", default=[], metavar="SOURCE=FILE", help="a publisher's records")
    parser.add_argument("--part-bytes", type=int, default=8 << 20, help="less makes more shards of the same rows")
    parser.add_argument("--before", type=Path, help="another checkout, which builds the same rows")
    parser.add_argument("--rounds", type=int, default=3, help="with --before: builds of each checkout")
    parser.add_argument("--out", default="bench/results/pipeline_throughput.json")
    options = parser.parse_args()
    report = []
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "run.py")
        script.write_text(RUN)
        for name, count, recipe in inputs(options, Path(folder)):
            if options.before:
                entry = {"input": name, **compared(script, recipe, count, options)}
            else:
                entry = built(script, recipe, count, options.workers, HERE)
            report.append(entry)
            print(json.dumps(entry), flush=True)
    if len(report) > 1 and not options.before:
        first, last = report[0], report[-1]
        more = last["rows"] - first["rows"]
        print(
            f"slope: {1e6 * (last['cpu_s'] - first['cpu_s']) / more:.0f} us and "
            f"{1024 * (last['private_mb'] - first['private_mb']) / more:.2f} KB of the build's private memory a row"
        )
    Path(options.out).parent.mkdir(parents=True, exist_ok=True)
    Path(options.out).write_text(json.dumps({"machine": machine(), "builds": report}, indent=1) + "\n")


if __name__ == "__main__":
    main()
