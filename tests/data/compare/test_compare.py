"""Duplicates and contamination, through whole builds of made-up problems."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from microcoder_data import Options, build, load_recipe, make_engine
from microcoder_data.report.dataset import dropped, rows
from tests.data.made_up import taco_record, write_lines

pytestmark = pytest.mark.fast


def built(folder: Path, sources: str, more: str = "") -> tuple[dict[str, Any], dict[str, Any]]:
    """The kept rows and the dropped entries, by problem id."""
    recipe = folder / "recipe.yaml"
    recipe.write_text(f"name: compare\nsources:\n{sources}\n{more}")
    assert build(load_recipe(recipe), folder / "out", make_engine("local", 1), Options()) is not None
    kept = {row["problem_id"]: row for row in rows(folder / "out")}
    return kept, {entry["problem_id"]: entry for entry in dropped(folder / "out")}


def test_one_problem_from_two_sources_is_merged_into_the_first(tmp_path: Path) -> None:
    records = [taco_record(number) for number in range(6)]
    first = write_lines(tmp_path / "first.jsonl", [{**record, "id": f"f{i}"} for i, record in enumerate(records)])
    other_story = taco_record(77)["question"]
    head, rest = records[3]["question"].split("\n\n", 1)
    second = write_lines(
        tmp_path / "second.jsonl",
        [
            {**records[0], "id": "same-text", "url": "", "input_output": taco_record(90)["input_output"]},
            {**records[1], "id": "same-tests", "url": "", "question": other_story},
            {
                **records[2],
                "id": "same-address",
                "question": taco_record(78)["question"],
                "input_output": taco_record(91)["input_output"],
            },
            {
                **records[3],
                "id": "reworded",
                "question": " ".join(head.split()[::-1]) + "\n\n" + rest,
                "input_output": json.dumps({"inputs": ["3 1", "8 8"], "outputs": ["4", "16"]}),
            },
            {**taco_record(79), "id": "its-own"},
        ],
    )
    sources = f"  - {{source: taco, name: one, path: {first}}}\n  - {{source: taco, name: two, path: {second}}}"
    kept, gone = built(tmp_path, sources, "process: {samples: false}\n")
    merged = {name: (entry["reason"], entry["duplicate_of"]) for name, entry in gone.items()}
    assert merged == {
        "two:same-text": ("same_text", "one:f0"),
        "two:same-tests": ("same_tests", "one:f1"),
        "two:reworded": ("same_address", "one:f3"),
    }
    told_apart = [one["detail"] for one in kept["two:same-address"]["provenance"] if one["outcome"] == "marked"]
    assert told_apart == ["same_address as one:f2, not merged: samples_apart"]
    assert kept["one:f0"]["merged_ids"] == ["two:same-text"] and "two:its-own" in kept


def test_near_copies_are_merged_into_the_row_that_stays_never_into_a_chain(tmp_path: Path) -> None:
    words = [f"word{number}" for number in range(120)]
    texts = []
    for shift in (0, 14, 28):  # each is near the next, the ends are not near each other
        body = words[shift : shift + 80]
        texts.append("Read a number and print it. " + " ".join(body))
    records = [
        {
            "id": str(i),
            "statement": text,
            "tests": [{"input": str(i), "output": str(i)}],
            "samples": [{"input": "1", "output": "1"}],
        }
        for i, text in enumerate(texts)
    ]
    path = write_lines(tmp_path / "near.jsonl", records)
    kept, gone = built(tmp_path, f"  - {{source: generic, path: {path}}}", "compare: {duplicates: {near: 0.6}}\n")
    assert set(kept) == {"generic:0", "generic:2"}
    assert gone["generic:1"]["duplicate_of"] == "generic:0" and 0.6 <= gone["generic:1"]["statistic"] < 0.9


def test_rows_are_compared_whose_formulas_differ_in_markup_or_whose_samples_are_tiny(tmp_path: Path) -> None:
    words = " ".join(f"word{number} $x_{{{number}}}$" for number in range(60))
    bare = words.translate(dict.fromkeys(map(ord, "${}_")))
    tiny = [("1 3", "YES"), ("2 4", "NO")]
    texts = [
        ("marked", f"Read and print. {words}", [("1", "2")]),
        ("bare", f"Read and print. {bare}", [("1", "2")]),
        ("english", "Tell whether $x$ and $y$ are of one kind. $1 \\leq x < y \\leq 12$, $k = 3$, $m$.", tiny),
        (
            "japanese",
            "整数 $x$ と $y$ が同じ種類かどうか判定してください。$1 \\leq x < y \\leq 12$、$k = 3$、$m$",
            tiny,
        ),
    ]
    records = [
        {"id": name, "statement": text, "tests": [{"input": given, "output": wanted} for given, wanted in shown]}
        for name, text, shown in texts
    ]
    path = write_lines(tmp_path / "rows.jsonl", records)
    more = "process: {completeness: false, language: {keep: [en], others: mark}}\nfilter: {quality: false}\n"
    _, gone = built(tmp_path, f"  - {{source: generic, path: {path}}}", more)
    assert {name: entry["reason"] for name, entry in gone.items()} == {
        "generic:bare": "same_text",
        "generic:japanese": "same_samples",
    }


def test_two_problems_under_one_id_are_told_apart(tmp_path: Path) -> None:
    records = [{**taco_record(number), "id": "1"} for number in (1, 2)]
    path = write_lines(tmp_path / "ids.jsonl", records)
    kept, gone = built(tmp_path, f"  - {{source: taco, path: {path}}}")
    assert len(kept) == 1 and gone["taco:1"]["reason"] == "id_conflict"


def benchmark_recipe(path: Path, extra: str = "") -> str:
    return f"compare:\n  benchmarks:\n    - name: bench\n      source: {{source: livecodebench, path: {path}}}\n{extra}"


def livecodebench(number: int, **changes: Any) -> dict[str, Any]:
    """The problem of `taco_record(number)` as the benchmark writes it."""
    given, wanted = f"{number} 1\n", f"{number + 1}\n"
    return {
        "question_title": f"Problem {number}",
        "question_content": taco_record(number)["question"],
        "platform": "atcoder",
        "question_id": f"abc{number}_a",
        "contest_id": f"abc{number}",
        "contest_date": "2024-01-01T00:00:00",
        "starter_code": "",
        "difficulty": "easy",
        "public_test_cases": json.dumps([{"input": given, "output": wanted, "testtype": "stdin"}]),
        "metadata": "{}",
        **changes,
    }


def test_contamination_by_each_kind_of_evidence(tmp_path: Path) -> None:
    long_sample = {"input": " ".join(map(str, range(40))), "output": " ".join(map(str, range(50, 60)))}
    bench = [
        livecodebench(
            1, question_id="1001_A", contest_id="1001", platform="codeforces", question_content="Other words."
        ),
        livecodebench(2),
        livecodebench(
            3, public_test_cases=json.dumps([{**long_sample, "testtype": "stdin"}]), question_content="Nothing alike."
        ),
    ]
    tests = {"inputs": [long_sample["input"], "1"], "outputs": [long_sample["output"], "2"]}
    records = [
        {**taco_record(1), "id": "address"},
        {**taco_record(2), "id": "text"},
        {**taco_record(30), "id": "samples", "input_output": json.dumps(tests)},
        {**taco_record(31), "id": "recent", "date": "2024-03-01"},
        {**taco_record(32), "id": "clean"},
    ]
    path = write_lines(tmp_path / "rows.jsonl", records)
    bench_path = write_lines(tmp_path / "bench.jsonl", bench)
    more = benchmark_recipe(bench_path, "      since: 2024-02-01\n") + "process: {samples: false}\n"
    kept, gone = built(tmp_path, f"  - {{source: taco, path: {path}}}", more)
    assert {name: entry["reason"] for name, entry in gone.items()} == {
        "taco:address": "in_benchmark_address",
        "taco:text": "in_benchmark_grams",
        "taco:samples": "in_benchmark_samples",
        "taco:recent": "in_benchmark_window",
    }
    assert list(kept) == ["taco:clean"] and kept["taco:clean"]["contamination"] == []
    assert gone["taco:text"]["detail"] == "bench: abc2_a" and gone["taco:text"]["statistic"] >= 0.5


def test_house_style_is_no_contamination(tmp_path: Path) -> None:
    style = (
        "The first line contains a single integer t, the number of test cases. The description of the test cases "
        "follows. The first line of each test case contains two integers n and k. "
    )
    own = [taco_record(number)["question"] for number in range(40)]
    rows_path = write_lines(
        tmp_path / "rows.jsonl", [taco_record(number, question=style + own[number]) for number in range(20)]
    )
    bench = [livecodebench(number, question_content=style + own[number]) for number in range(20, 40)]
    bench_path = write_lines(tmp_path / "bench.jsonl", bench)
    kept, gone = built(tmp_path, f"  - {{source: taco, path: {rows_path}}}", benchmark_recipe(bench_path))
    assert len(kept) == 20 and not gone
