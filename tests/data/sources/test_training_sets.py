"""Adapters of PrimeIntellect, open-r1, OpenCodeReasoning, KodCode and rStar-Coder, and joined files."""

import json
import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from microcoder_data import build, load_recipe, make_engine
from tests.data.made_up import taco_record
from tests.data.sources.reading import reject_of, row_of, verdicts

PRIME: dict[str, Any] = {
    "source": "apps",
    "task_type": "verifiable_code",
    "in_source_id": "4",
    "prompt": "Solve the following coding problem using the programming language python:\n\nDouble a number.",
    "gold_standard_solution": "```python\nprint(2 * int(input()))\n```",
    "verification_info": json.dumps(
        {"language": "python", "test_cases": [{"type": "stdin_stdout", "input": "1\n", "output": "2\n"}]}
    ),
    "metadata": '{"difficulty": "interview", "memory_limit": null, "time_limit": "1 seconds"}',
    "problem_id": "vfc_0",
}


def test_prime_intellect() -> None:
    row = row_of("prime_intellect", PRIME)
    assert (row["problem_id"], row["kind"], row["time_limit_ms"]) == ("vfc_0", "stdin", 1000)
    assert row["solutions"][0]["code"] == "print(2 * int(input()))"
    assert row["difficulty"]["level"] == "medium"
    rust = {"language": "rust", "test_cases": [{"type": "stdin_stdout", "input": "1\n", "output": "2\n"}]}
    assert row_of("prime_intellect", {**PRIME, "verification_info": str(rust)})["solutions"][0]["language"] == "rust"


def test_prime_intellect_calls_and_answers() -> None:
    case = {"type": "function_call", "fn_name": "double", "input": [3], "output": [6]}
    record = {
        **PRIME,
        "verification_info": json.dumps({"language": "python", "test_cases": [case]}),
        "gold_standard_solution": "def double(n):\n    return 2 * n",
        "llm_response": "<think>```python\nbad\n```</think>\n```python\ndef double(n): return n + n\n```",
        "score": 1.0,
    }
    row = row_of("prime_intellect", record)
    assert (row["kind"], row["entry_point"]) == ("call", "double")
    assert (row["tests"][0]["input"], row["tests"][0]["output"]) == ("3", "6")
    assert [one["origin"] for one in row["solutions"]] == ["official", "model"]
    assert verdicts(row, *(one["code"] for one in row["solutions"])) == ["ACCEPTED", "ACCEPTED"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"task_type": "verifiable_math"}, "not_a_coding_task"),
        ({"verification_info": "{broken"}, "broken_column"),
        ({"verification_info": "[]"}, "broken_tests"),
        ({"verification_info": "{}"}, "no_tests"),
        ({"verification_info": '{"test_cases": [{"input": "1"}]}'}, "broken_tests"),
        (
            {"verification_info": '{"test_cases": [{"type": "function_call", "input": [1], "output": 2}]}'},
            "no_entry_point",
        ),
        (
            {
                "verification_info": '{"language": "rust", "test_cases": '
                '[{"type": "function_call", "fn_name": "f", "input": [1], "output": 2}]}'
            },
            "not_python",
        ),
    ],
)
def test_prime_intellect_rejects_by_name(change: dict[str, Any], reason: str) -> None:
    assert reject_of("prime_intellect", {**PRIME, **change}) == reason


def test_open_r1_verifiable_has_structs_and_texts() -> None:
    case = {"fn_name": "f", "input": "[[1, 2], 3]", "output": "[[1, 2, 3]]", "type": "function_call"}
    record = {
        "source": "code_contests",
        "task_type": "verifiable_code",
        "problem_statement": "Append the second argument to the first.",
        "gold_standard_solution": "```python\ndef f(a, b):\n    return a + [b]\n```",
        "problem_id": "vfc_10",
        "metadata": {
            "difficulty": "8",
            "memory_limit": None,
            "memory_limit_bytes": 256000000,
            "problem_url": "https://codeforces.com/contest/1873/problem/A",
            "time_limit": "{'seconds': 2, 'nanos': 0}",
        },
        "verification_info": {"language": "python", "test_cases": [case]},
    }
    row = row_of("open_r1_verifiable", record)
    assert (row["platform"], row["contest_id"], row["problem_index"]) == ("codeforces", "1873", "A")
    assert (row["time_limit_ms"], row["memory_limit_mb"]) == (2000, 244)
    assert verdicts(row, row["solutions"][0]["code"]) == ["ACCEPTED"]


CODEFORCES: dict[str, Any] = {
    "id": "2063/A",
    "contest_id": "2063",
    "contest_start": 1737547500,
    "index": "A",
    "time_limit": 1.0,
    "memory_limit": 256.0,
    "title": "Any Divisor",
    "description": "Print any divisor of the given number that is greater than one.",
    "input_format": "One number.",
    "output_format": "One divisor.",
    "interaction_format": None,
    "examples": [{"input": "6\n", "output": "2\n"}],
    "rating": 800,
    "tags": ["math"],
    "testset_size": 7,
    "official_tests": [{"input": "6\n", "output": "2\n"}],
    "official_tests_complete": False,
    "input_mode": "stdio",
    "generated_checker": (
        "import sys\nn = int(open(sys.argv[1]).read())\nd = int(open(sys.argv[3]).read())\n"
        "print(1 if d > 1 and n % d == 0 else 0)\n"
    ),
}


def test_open_r1_codeforces_judges_by_its_checker() -> None:
    row = row_of("open_r1_codeforces", CODEFORCES)
    assert (row["contest_date"].year, row["difficulty"]["rating"], row["io"]) == (2025, 800, None)
    assert "1 of 7 official tests" in row["provenance"][0]["detail"]
    assert verdicts(row, "print(3)", "print(2)", "print(5)", "print('x')") == [
        "ACCEPTED",
        "ACCEPTED",
        "WRONG_ANSWER",
        "WRONG_ANSWER",
    ]


def test_open_r1_codeforces_marks_what_is_not_standard_input() -> None:
    talk = row_of("open_r1_codeforces", {**CODEFORCES, "interaction_format": "You can ask."})
    assert talk["io"] == "interactive" and "You can ask." in talk["statement"]
    assert row_of("open_r1_codeforces", {**CODEFORCES, "input_mode": "file"})["io"] == "file"
    assert reject_of("open_r1_codeforces", {**CODEFORCES, "official_tests": []}) == "no_tests"


def test_open_r1_codeforces_takes_generated_tests_from_their_files(tmp_path: Path) -> None:
    records = [{"problem_id": name, "input": "9\n", "output": "3\n"} for name in ("2063/A", "2063/B", "2063/A")]
    pq.write_table(pa.Table.from_pylist(records), tmp_path / "test_cases_2063.parquet")
    pq.write_table(pa.Table.from_pylist(records), tmp_path / "test_cases_0001.parquet")
    row = row_of("open_r1_codeforces", CODEFORCES, join={"generated_tests": str(tmp_path / "*.parquet")})
    assert [test["origin"] for test in row["tests"]] == ["official", "generated", "generated"]
    assert not row["provenance"]


@pytest.mark.parametrize("suffix", ["jsonl", "parquet", "arrow"])
def test_opencodereasoning_is_joined_by_position(tmp_path: Path, suffix: str) -> None:
    records = [taco_record(number) for number in range(5)]
    path = tmp_path / f"train.{suffix}"
    table = pa.Table.from_pylist(records)
    if suffix == "jsonl":
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
    elif suffix == "parquet":
        pq.write_table(table, path, row_group_size=2)
    else:
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, table.schema) as writer:
            writer.write_table(table, max_chunksize=2)
    record = {
        "id": "abc",
        "input": "-",
        "output": "<think>no</think>```python\nprint(7)\n```",
        "dataset": "taco",
        "split": "train",
        "solution": "print(7)",
        "index": "3",
    }
    row = row_of("opencodereasoning", record, join={"taco/train": str(path)})
    assert (row["problem_id"], row["statement"]) == ("taco/train/3", records[3]["question"])
    assert row["tests"] and row["solutions"][-1] == {
        "language": "python",
        "code": "print(7)",
        "correct": None,
        "origin": "model",
    }
    join = {"taco/train": str(path)}
    assert reject_of("opencodereasoning", {**record, "index": "5"}, join=join) == "join_finds_nothing"
    assert reject_of("opencodereasoning", record) == "needs_join"
    assert reject_of("opencodereasoning", {**record, "dataset": "other"}, join=join) == "unknown_dataset"
    assert reject_of("opencodereasoning", {"id": "a", "input": "Add.", "solution": "x"}) == "no_tests"


def test_a_change_in_a_joined_file_is_a_change(tmp_path: Path) -> None:
    joined = tmp_path / "train.jsonl"
    record = {"id": "a", "dataset": "taco", "split": "train", "index": "0", "solution": "print(1)"}
    (tmp_path / "ocr.jsonl").write_text(json.dumps(record) + "\n")
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(
        f"name: j\nsources:\n  - {{source: opencodereasoning, path: {tmp_path / 'ocr.jsonl'}, "
        f"join: {{taco/train: {joined}}}}}\n"
    )
    hashes = []
    for number in range(2):  # in one process, which remembers what it has read
        joined.write_text(json.dumps(taco_record(number)) + "\n")
        os.utime(joined, ns=(number, number))
        manifest = build(load_recipe(recipe), tmp_path / f"out{number}", make_engine("local", workers=1))
        assert manifest is not None
        hashes.append(manifest["logical_sha256"])
        assert any("train.jsonl" in str(item) for item in manifest["inputs"])
    assert hashes[0] != hashes[1]


def test_kodcode_published_and_as_generated() -> None:
    test = "from solution import f\n\ndef test_f():\n    assert f(1) == 2\n"
    published = {
        "version": "v1.0",
        "style": "instruct",
        "subset": "Leetcode",
        "question_id": "Leetcode_1_I",
        "question": "Write f that adds one.",
        "solution": "def f(x):\n    return x + 1",
        "test": test,
        "test_info": [
            {"docstring": "", "function_declaration": "def f(x):", "function_name": "f", "parameter_list": "(x)"}
        ],
        "gpt_pass_sequence": [1, 0, 1],
        "gpt_difficulty": "medium",
    }
    row = row_of("kodcode", published)
    assert (row["entry_point"], row["starter_code"], row["license"]) == ("f", "def f(x):\n    pass", "CC-BY-NC-4.0")
    assert round(row["difficulty"]["pass_rate"], 3) == 0.667 and row["difficulty"]["level"] == "medium"
    assert verdicts(row, row["solutions"][0]["code"], "def f(x): return x") == ["ACCEPTED", "WRONG_ANSWER"]
    generated = {"instruction": "Add one.", "response": "def f(x): return x + 1", "test_code": test}
    assert row_of("kodcode", {**generated, "pass_sequence": [0, 1]})["entry_point"] == "f"
    assert reject_of("kodcode", {**generated, "test_code": ""}) == "no_tests"
    of_a_tree: dict[str, Any] = {
        "instruction": "Find the depth.",
        "response": "class Node:\n    pass\n\ndef depth(root):\n    return 1",
        "test_code": "from solution import Node, depth\n\ndef test_depth():\n    assert depth(Node()) == 1\n",
        "metadata": {"mode": "hats", "prompt_id": "0007"},
    }
    row = row_of("kodcode", of_a_tree)
    assert (row["entry_point"], row["problem_id"]) == ("depth", "Hats_0007")
    imported_inside = of_a_tree["test_code"].replace("from solution import Node, depth\n", "")
    assert row_of("kodcode", {**of_a_tree, "test_code": imported_inside})["entry_point"] == "depth"


def test_kodcode_gives_what_its_tests_take_from_the_solution() -> None:
    solution = (
        "import math\n\nclass Node:\n    pass\n\nclass Chain:\n    head = Node\n\n"
        "def chained(items):\n    return Chain()\n\n"
        "def half(number):\n    return number / 2\n\ndef area(hat):\n    return math.pi\n"
    )
    tests = "def test_area():\n    assert abs(area(chained([1])) - math.pi) < 1e-9 and half(4) == 2\n"
    record = {
        "instruction": "Write area, and half.",
        "response": solution,
        "test_code": f"from solution import area\n{tests}",
    }
    row = row_of("kodcode", record)
    assert row["test_code"].startswith("import math\n") and row["entry_point"] == "area"
    given = "class Node:\n    pass\n\n\nclass Chain:\n    head = Node\n\n\ndef chained(items):\n    return Chain()"
    assert row["starter_code"] == given  # `half` is asked for, `Node` is needed by `Chain`
    named = row_of("kodcode", {**record, "instruction": "With class Chain and chained, write area and half."})
    assert named["starter_code"] is None
    own = (
        "import math\nfrom solution import area\n\ndef half(n):\n    return n\n\n"
        "def test_area():\n    assert half(area(None)) == math.pi\n"
    )
    row = row_of("kodcode", {**record, "test_code": own})
    assert (row["test_code"], row["starter_code"]) == (own, None)


def test_kodcode_declares_helpers_and_methods_too() -> None:
    def declared(*heads: str) -> list[dict[str, str]]:
        return [{"function_declaration": head, "function_name": head[4:].split("(")[0]} for head in heads]

    record: dict[str, Any] = {
        "question": "Find the tallest hat.",
        "question_id": "Docs_1_I",
        "solution": "def is_hat(x):\n    return True\n\ndef tallest(hats):\n    return max(filter(is_hat, hats))",
        "test": "from solution import tallest\n\ndef test_tallest():\n    assert tallest([1, 2]) == 2\n",
        "test_info": declared("def is_hat(x):", "def tallest(hats):"),
    }
    row = row_of("kodcode", record)
    assert (row["entry_point"], row["starter_code"]) == ("tallest", "def tallest(hats):\n    pass")
    box = {
        "question": "Make a box for hats.",
        "solution": "class Box:\n    def __init__(self):\n        self.hats = []\n"
        "    def add(self, hat: int) -> None:\n        self.hats.append(hat)\n    def _check(self):\n        pass",
        "test": "from solution import Box\n\ndef test():\n    box = Box()\n    box.add(1)\n    assert box.hats\n",
        "test_info": declared("def add(self, hat: int) -> None:"),
    }
    row = row_of("kodcode", {**record, **box})
    skeleton = "class Box:\n    def __init__(self):\n        pass\n\n    def add(self, hat: int) -> None:\n        pass"
    assert (row["entry_point"], row["starter_code"]) == ("Box", skeleton)
    named = row_of("kodcode", {**record, **box, "question": "Make a class Box with a list hats and a method add(hat)."})
    assert (named["entry_point"], named["starter_code"]) == ("Box", None)
    other_name = row_of("kodcode", {**record, **box, "question": "Make a class Box with a method addHat(hat)."})
    assert other_name["starter_code"] == skeleton


def test_kodcode_a_function_of_the_test_runner_is_not_the_one_under_test() -> None:
    record: dict[str, Any] = {
        "question": "Make a class Box with a method add(hat), and a main that shows it.",
        "question_id": "Docs_2_I",
        "solution": "class Box:\n    def add(self, hat):\n        return hat\n\ndef main():\n    print(Box().add(1))",
        "test": "import pytest\n\ndef test_box():\n    assert Box().add(1) == 1\n\npytest.main()\n",
    }
    row = row_of("kodcode", record)
    assert (row["entry_point"], row["starter_code"]) == ("Box", None)


def test_rstar_coder_configurations() -> None:
    seed = {
        "question_id": "seed_1",
        "question": "Print the larger number.",
        "starter_code": "",
        "inputs": '["1\\n1", "1\\n3"]',
        "outputs": '["1", "3"]',
        "is_synthesized": "[0, 1]",
        "test_case_type": '["stdin_stdout", "stdin_stdout"]',
        "func_name": "",
        "class_name": "",
    }
    row = row_of("rstar_coder", seed)
    assert [test["origin"] for test in row["tests"]] == ["official", "generated"]
    synthetic = {name: seed[name] for name in ("question_id", "question", "inputs", "outputs")}
    assert {test["origin"] for test in row_of("rstar_coder", synthetic)["tests"]} == {"generated"}
    call = {
        **seed,
        "inputs": '["[1, 2]\\n3"]',
        "outputs": '["[1, 2, 3]"]',
        "func_name": "add",
        "class_name": "Solution",
        "starter_code": "class Solution:\n    def add(self, a: List[int], b: int) -> List[int]:",
    }
    row = row_of("rstar_coder", call)
    assert (row["entry_point"], row["tests"][0]["input"], row["tests"][0]["output"]) == (
        "Solution.add",
        "[1, 2]\n3",
        "[1, 2, 3]",
    )
    for without in ({"question": "q", "seed_question": "s"}, {"question": "q", "response": "r", "code": "c"}):
        assert reject_of("rstar_coder", without) == "no_tests"
    assert reject_of("rstar_coder", {**seed, "outputs": '["1"]'}) == "tests_do_not_pair"
