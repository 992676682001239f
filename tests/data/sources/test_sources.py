"""Adapters: made-up records in each publisher's schema become rows; broken ones become rejects with a name.

Longer than most files: a made-up record for each publisher.
"""

import base64
import json
import pickle
import zlib
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from microcoder_data.conversion import rows_of
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.schema import to_problem
from microcoder_data.sources import SOURCES, adapter
from microcoder_eval import Grader, Problem, Submission
from tests.data.made_up import taco_record
from tests.data.sources.reading import verdicts


def row_of(source: str, record: dict[str, Any], **spec: Any) -> dict[str, Any]:
    return adapter(source)(record, SourceSpec(source=source, path=("x",), **spec))


def test_taco_lines_lists_literals_and_units() -> None:
    pairs = {"inputs": ["3\n", ["1 2", "3"]], "outputs": ["6\n", ["4"]]}
    row = row_of("taco", taco_record(1, input_output=json.dumps(pairs), tags="['Dynamic programming']"))
    assert [(test["input"], test["output"]) for test in row["tests"]] == [("3\n", "6\n"), ("1 2\n3", "4")]
    assert (row["platform"], row["contest_id"], row["problem_index"]) == ("codeforces", "1001", "A")
    assert (row["time_limit_ms"], row["memory_limit_mb"], row["tags"]) == (2000, 256, ["Dynamic programming"])
    assert row["difficulty"]["level"] == "easy" and str(row["contest_date"]) == "2021-05-01"


@pytest.mark.parametrize(
    ("platform", "outputs", "wanted"), [("codewars", [[3], [4]], "3"), ("leetcode", [[3], [4]], "[3]")]
)
def test_taco_knows_which_platform_wraps_its_answers(platform: str, outputs: list[Any], wanted: str) -> None:
    pairs = {"fn_name": "f", "inputs": [[1, 2], [1, 3]], "outputs": outputs}
    row = row_of("taco", taco_record(1, source=platform, url=None, input_output=json.dumps(pairs)))
    assert (row["kind"], row["tests"][0]["input"], row["tests"][0]["output"]) == ("call", "1\n2", wanted)
    assert row["entry_point"] == "f"


def test_taco_verified_has_real_lists() -> None:
    row = row_of("taco", taco_record(1, solutions=["print(1)"]))
    assert row["solutions"][0]["code"] == "print(1)"


def test_apps_ids_need_their_split_and_methods_their_class() -> None:
    record = {
        "problem_id": 0,
        "question": "Find two numbers that add up to the target and return their positions.",
        "solutions": '["class Solution:\\n    def twoSum(self, nums, target): return [0, 1]"]',
        "input_output": '{"fn_name": "twoSum", "inputs": [[[2, 7], 9]], "outputs": [[0, 1]]}',
        "difficulty": "introductory",
        "url": "https://leetcode.com/problems/two-sum/",
        "starter_code": "class Solution:\n    def twoSum(self, nums: List[int], target: int) -> List[int]:\n        ",
    }
    row = row_of("apps", record, split="train")
    assert (row["problem_id"], row["entry_point"], row["slug"]) == ("train/0", "Solution.twoSum", "two-sum")
    assert row["tests"][0]["output"] == "[0, 1]"
    assert to_problem({**row, "problem_id": "x"}).tests[0].input == [[2, 7], 9]


def test_code_contests_structs_of_lists() -> None:
    record = {
        "name": "1575_A. Another Sorting Problem",
        "description": "Sort the books.\n\nInput\n\nTwo lines.\n\nOutput\n\nThe order.",
        "public_tests": {"input": ["5 2\nAA\n"], "output": ["5 2\n"]},
        "private_tests": {"input": [], "output": []},
        "generated_tests": {"input": ["5 2\nAB\n"], "output": ["1 2\n"]},
        "source": 2,
        "difficulty": 7,
        "solutions": {"language": [3, 1], "solution": ["print(1)", "print 1"]},
        "incorrect_solutions": {"language": [2], "solution": ["int main(){}"]},
        "cf_contest_id": 1575,
        "cf_index": "A",
        "cf_rating": 1100,
        "cf_tags": ["sortings", ""],
        "is_description_translated": False,
        "untranslated_description": "",
        "time_limit": {"seconds": 1, "nanos": 500000000},
        "memory_limit_bytes": 512000000,
        "input_file": "",
        "output_file": "",
    }
    row = row_of("code_contests", record)
    assert [(test["origin"], test["public"]) for test in row["tests"]] == [("official", True), ("generated", False)]
    assert [(s["language"], s["correct"]) for s in row["solutions"]] == [
        ("python", True),
        ("python2", True),
        ("cpp", False),
    ]
    assert (row["title"], row["time_limit_ms"], row["difficulty"]["rating"]) == ("Another Sorting Problem", 1500, 1100)
    assert (row["difficulty"]["level"], row["tags"]) == ("easy", ["sortings"])
    assert row_of("code_contests", {**record, "input_file": "a.in"})["io"] == "file"


@pytest.mark.parametrize(
    ("tests", "extra", "kind", "given", "wanted"),
    [
        ('{"inputs": ["1\\n"], "outputs": ["2\\n"]}', {}, "stdin", "1\n", "2\n"),
        ('{"fn_name": "f", "inputs": [[1]], "outputs": [[2]]}', {}, "call", "1", "2"),
        ('[{"type": "stdin_stdout", "input": "1", "output": "2"}]', {}, "stdin", "1", "2"),
        ("[{'type': 'stdin_stdout', 'fn_name': None, 'input': '1', 'output': '2'}]", {}, "stdin", "1", "2"),
        ('[{"type": "function_call", "fn_name": "f", "input": [1, [2]], "output": [5]}]', {}, "call", "1\n[2]", "5"),
        (
            '[{"input": "[1,2]\\n3", "output": "5", "testtype": "functional"}]',
            {"metadata": {"func_name": "f"}, "starter_code": "class Solution:\n    def f(self): ..."},
            "call",
            "[1,2]\n3",
            "5",
        ),
    ],
)
def test_deepcoder_shapes_of_tests(tests: str, extra: dict[str, Any], kind: str, given: str, wanted: str) -> None:
    row = row_of(
        "deepcoder", {"problem": "Solve it.", "solutions": ["```python\nprint(1)\n```"], "tests": tests, **extra}
    )
    assert (row["kind"], row["tests"][0]["input"], row["tests"][0]["output"]) == (kind, given, wanted)
    assert row["solutions"][0]["code"] == "print(1)"


def livecodebench(**changes: Any) -> dict[str, Any]:
    record = {
        "question_title": "A. Short Sort",
        "question_content": "There are three cards.",
        "platform": "codeforces",
        "question_id": "1873_A",
        "contest_id": "1873",
        "contest_date": "2023-08-21T00:00:00",
        "starter_code": "",
        "difficulty": "easy",
        "public_test_cases": '[{"input": "1\\n", "output": "YES\\n", "testtype": "stdin"}]',
        "metadata": "{}",
    }
    return {**record, **changes}


def packed(value: Any) -> str:
    return base64.b64encode(zlib.compress(pickle.dumps(value))).decode()


def test_livecodebench_private_tests_are_unpacked() -> None:
    private = json.dumps([{"input": "2\n", "output": "NO\n", "testtype": "stdin"}])
    for column in (private, packed(private)):
        row = row_of("livecodebench", livecodebench(private_test_cases=column))
        assert [test["output"] for test in row["tests"]] == ["YES\n", "NO\n"]
        assert (row["split"], row["problem_index"], str(row["contest_date"])) == ("test", "A", "2023-08-21")


class Harmful:
    def __reduce__(self) -> tuple[Any, ...]:
        return (print, ("this must never be printed",))


@pytest.mark.parametrize(
    ("column", "reason"),
    [
        (packed(Harmful()), "unsafe_pickle"),
        (packed([1]), "unsafe_pickle"),
        ("eJx", "broken_column"),
        ("%%", "broken_column"),
    ],
)
def test_livecodebench_pickles_run_nothing(column: str, reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(Reject) as refused:
        row_of("livecodebench", livecodebench(private_test_cases=column))
    assert refused.value.reason == reason
    assert capsys.readouterr().out == ""


def leetcode(test: str) -> dict[str, Any]:
    return {
        "task_id": "add-to-target",
        "question_id": 1,
        "difficulty": "Easy",
        "tags": ["Array"],
        "problem_description": "Return the sum.",
        "starter_code": "class Solution:\n    def add(self, nums: List[int], k: int) -> int:\n        ",
        "estimated_date": "2024-08-11",
        "prompt": "from typing import *\n",
        "completion": "class Solution:\n    def add(self, nums, k): return sum(nums) + k",
        "entry_point": "Solution().add",
        "test": test,
        "input_output": [{"input": "nums = [1], k = 2", "output": "Error: missing argument"}],
    }


def test_leetcode_dataset_takes_its_tests_from_the_program() -> None:
    row = row_of(
        "leetcode_dataset", leetcode("def check(candidate):\n    assert candidate(nums = [1, 2], k = 3) == 6\n")
    )
    assert (row["kind"], row["entry_point"], row["slug"]) == ("call", "Solution.add", "add-to-target")
    case = to_problem({**row, "problem_id": "x"}).tests[0]
    assert (case.input, case.output) == ({"nums": [1, 2], "k": 3}, 6)


def test_leetcode_dataset_tables_have_their_rows_again() -> None:
    record = leetcode("def check(candidate):\n    assert candidate(nums = [1, 2], k = 3) == 6\n")
    record["problem_description"] = "Sum.\nExplanation:\nStep\nSum\n\n\n1\n2\n\n\n2\n\xa0\n\n\n\n\nDone, as said."
    table = "| Step | Sum |\n| --- | --- |\n| 1 | 2 |\n| 2 |  |"
    assert table in row_of("leetcode_dataset", record)["statement"]


def test_leetcode_dataset_keeps_programs_that_build_trees() -> None:
    test = "def check(candidate):\n    assert is_same_tree(candidate(root = tree_node([1])), tree_node([1]))\n"
    row = row_of("leetcode_dataset", leetcode(test))
    assert row["kind"] == "asserts" and row["test_code"].startswith("from typing import *")


def test_leetcode_dataset_old_version_keeps_its_details_under_meta() -> None:
    old = leetcode("def check(candidate):\n    assert candidate(nums = [1], k = 1) == 2\n")
    for name in ("problem_description", "starter_code", "estimated_date", "question_id", "difficulty"):
        del old[name]
    starter = "class Solution:\n    def add(self, nums: List[int], k: int) -> int:"
    old["meta"] = {"question_id": 7, "difficulty": "Medium", "question_title": "Return the sum.", "lang_code": starter}
    old["query"] = f"Return the sum.\n```python\n{starter}\n```"
    row = row_of("leetcode_dataset", old)
    assert (row["statement"], row["starter_code"], row["difficulty"]["level"]) == ("Return the sum.", starter, "medium")


def test_humaneval_and_mbpp() -> None:
    prompt = 'def twice(x: int) -> int:\n    """ Double a number.\n    >>> twice(2)\n    4\n    """\n'
    record = {
        "task_id": "HumanEval/900",
        "prompt": prompt,
        "entry_point": "twice",
        "canonical_solution": "    return 2 * x\n",
        "test": "def check(candidate):\n    assert candidate(1) == 2\n",
    }
    row = row_of("humaneval", record)
    assert (row["kind"], row["entry_point"], row["samples"][0]["output"]) == ("asserts", "twice", "4")
    assert row["statement"].startswith("Double a number.") and row["starter_code"] == prompt
    assert row["solutions"][0]["code"] == f"{prompt}    return 2 * x\n"
    without_end = row_of("humaneval", {**record, "prompt": prompt.rstrip("\n")})
    assert without_end["solutions"][0]["code"] == row["solutions"][0]["code"]
    helper = {
        "prompt": prompt.replace("twice", "half"),
        "entry_point": "half",
        "canonical_solution": f"    return x / 2\n{prompt}    return 2 * x\n",
        "test": "def check(candidate):\n    assert twice(1) == 2\ncheck(half)\n",
    }
    row = row_of("humaneval", {**record, **helper})
    assert (row["entry_point"], row["title"], row["starter_code"]) == ("twice", "twice", None)
    result = "def check(candidate):\n    found = candidate(1)\n    assert half(found) == 1\n"
    assert row_of("humaneval", {**record, **helper, "entry_point": "twice", "test": result})["entry_point"] == "twice"
    to_be_continued = {**record, "prompt": f"{prompt}    pass\n\n# check twice\nassert "}
    assert row_of("humaneval", to_be_continued)["statement"].startswith("Double a number.")
    four_quotes = {**record, "prompt": 'def twice(x):\n    """"\n    Double a number.\n    """\n'}
    assert row_of("humaneval", four_quotes)["statement"] == "Double a number."
    lines = (
        'def twice(x):\n    import math\n    """Double lines: \\\\ stays.\n'
        '    >>> twice("a\\n")\n    \'a\\na\\n\'\n    """\n'
    )
    row = row_of("humaneval", {**record, "prompt": lines})
    assert row["statement"] == "Double lines: \\ stays.\n>>> twice(\"a\\n\")\n'a\\na\\n'"
    assert (row["samples"][0]["input"], row["samples"][0]["output"]) == ('twice("a\\n")', "'a\\na\\n'")
    mbpp = {
        "text": "Write a function to double a number.",
        "code": "def helper(x):\r\n  return x\r\ndef twice(x):\r\n  return 2*x",
        "task_id": 9,
        "test_setup_code": "",
        "test_list": ["assert set(twice(2)) == {4}", "assert twice(1) == 2"],
        "challenge_test_list": [],
    }
    row = row_of("mbpp", mbpp)
    assert (row["entry_point"], row["test_code"].count("assert")) == ("twice", 2)
    thirds = {
        **mbpp,
        "code": "def third(x):\n  return x/3",
        "test_list": ["assert third(1)==0.3333333333333333", "assert third(3) == 1.0"],
    }
    row = row_of("mbpp", thirds)
    assert verdicts(row, "def third(x): return x * (1 / 3)", "def third(x): return 0.3333") == [
        "ACCEPTED",
        "WRONG_ANSWER",
    ]
    assert row["samples"][0]["output"] == "0.3333333333333333" and "1 assertions" in row["provenance"][0]["detail"]


def test_generic_follows_paths_into_objects_lists_and_text() -> None:
    fields = {
        "problem_id": "meta.qid",
        "statement": "body.0",
        "tests": "meta.cases",
        "test_input": "in",
        "test_output": "out",
        "url": "link",
    }
    record = {
        "meta": json.dumps({"qid": 7, "cases": [{"in": "1", "out": 2}]}),
        "body": ["Add one."],
        "link": "https://atcoder.jp/contests/abc301/tasks/abc301_a",
    }
    row = row_of("generic", record, fields=fields)
    assert (row["problem_id"], row["statement"], row["tests"][0]["output"]) == ("7", "Add one.", "2")
    assert (row["platform"], row["contest_id"], row["problem_index"]) == ("atcoder", "abc301", "a")


@pytest.mark.parametrize(
    ("answers", "stored"),
    [
        (["0", "?"], ['"0"', '"?"']),  # texts, beside arguments that are values
        (["0", 7], ['"0"', "7"]),
        (["0", "[9]"], ["0", "[9]"]),  # values written as text
        ([0, [9]], ["0", "[9]"]),
    ],
)
def test_generic_keeps_a_text_of_digits_a_text(answers: list[Any], stored: list[str]) -> None:
    tests = [{"input": [number], "output": answer} for number, answer in enumerate(answers)]
    record = {"id": "a", "statement": "Read it.", "kind": "call", "entry_point": "read", "tests": tests}
    assert [test["output"] for test in row_of("generic", record)["tests"]] == stored


def test_generic_takes_wrong_solutions_and_other_languages() -> None:
    listed = ["print(3)", {"code": "```python\nprint(4)\n```", "correct": False}, {"code": "int x;", "language": "cpp"}]
    record = {"id": "a", "statement": "Add.", "tests": [{"input": "1", "output": "2"}]}
    for written in (listed, json.dumps(listed)):
        row = row_of("generic", {**record, "solutions": written})
        assert [(one["language"], one["code"], one["correct"]) for one in row["solutions"]] == [
            ("python", "print(3)", True),
            ("python", "print(4)", False),
            ("cpp", "int x;", True),
        ]
    by_language = {"Python 3": ["print(3)", "print(4)"], "C++": "{int x;}"}
    for written in (by_language, json.dumps(by_language)):
        row = row_of("generic", {**record, "solutions": written})
        assert [(one["language"], one["code"]) for one in row["solutions"]] == [
            ("python", "print(3)"),
            ("python", "print(4)"),
            ("cpp", "{int x;}"),
        ]
    own_names = row_of("generic", {**record, "solutions": {"source": "int x;", "lang": "c++"}})["solutions"]
    assert [(one["language"], one["code"]) for one in own_names] == [("cpp", "int x;")]
    of_a_table = row_of("generic", {**record, "solutions": {"python": None, "cpp": "int x;", "go": [None]}})[
        "solutions"
    ]
    assert [(one["language"], one["code"]) for one in of_a_table] == [("cpp", "int x;")]
    as_number = row_of("generic", {**record, "solutions": [{"code": "print(3)", "correct": 0}]})["solutions"]
    assert as_number[0]["correct"] is False  # a column of booleans takes no number
    for broken in ([{"note": "print(3)"}], {"cpp": [3]}, [{"code": "print(3)", "correct": "no"}]):
        with pytest.raises(Reject, match="broken_solutions"):
            row_of("generic", {**record, "solutions": broken})


@pytest.mark.parametrize("owner", ["", "io."])
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=5))
def test_tests_in_numbered_fields_are_paired_by_number(owner: str, filled: list[tuple[bool, bool]]) -> None:
    cells = {}
    for number, (has_input, has_output) in enumerate(filled, start=1):
        cells[f"in{number}"] = f"in {number}" if has_input else float("nan")
        cells[f"out{number}"] = f"out {number}" if has_output else ""
    record = {"statement": "Add.", **({"io": cells} if owner else cells)}
    fields = {"statement": "statement", "inputs": f"{owner}in*", "outputs": f"{owner}out*"}
    if any(has_input != has_output for has_input, has_output in filled):
        with pytest.raises(Reject, match="tests_do_not_pair"):
            row_of("generic", record, fields=fields)
        return
    tests = row_of("generic", record, fields=fields)["tests"]
    whole = [number for number, (has_input, _) in enumerate(filled, start=1) if has_input]
    assert [(test["input"], test["output"]) for test in tests] == [(f"in {one}", f"out {one}") for one in whole]


def test_generic_reads_the_projects_own_problems() -> None:
    problem = {
        "id": "sum",
        "kind": "call",
        "entry_point": "add",
        "statement": "Add.",
        "tests": [{"input": [1, 2], "output": 3}, {"input": "1\n1", "output": "2"}],
        "checker": {"kind": "float", "abs": 0.01},
        "time_limit_s": 1.5,
        "memory_limit_mb": 64,
    }
    row = row_of("generic", problem)
    assert (row["time_limit_ms"], row["memory_limit_mb"], row["checker"]["abs"]) == (1500, 64, 0.01)
    read = to_problem({**row, "problem_id": "x"})
    assert [(test.input, test.output) for test in read.tests] == [([1, 2], 3), ([1, 1], 2)]
    assert read.checker.abs == 0.01


def test_generic_reads_an_interactor() -> None:
    other_end = {"code": "def interact(input, read_line, write_line): return read_line() == input.strip()"}
    record = {"id": "echo", "statement": "Say it.", "tests": [{"input": "7\n"}], "other": json.dumps(other_end)}
    fields = {"problem_id": "id", "statement": "statement", "tests": "tests", "interactor": "other"}
    row = row_of("generic", record, fields=fields)
    assert (row["kind"], row["interactor"]["kind"], row["tests"][0]["output"]) == ("interactive", "python", "")
    with Grader(workers=1) as grader:
        assert grader.grade(to_problem(row), Submission("a", "echo", "print(7)")).accepted
        assert not grader.grade(to_problem(row), Submission("b", "echo", "print(8)")).accepted
    for broken, reason in (({"language": "cobol", "code": "x"}, "broken_interactor"), (None, "no_interactor")):
        with pytest.raises(Reject, match=reason):
            row_of("generic", {**record, "kind": "interactive", "interactor": broken})


@pytest.mark.parametrize(
    "groups",
    [
        [{"name": "easy", "max_score": 30, "tests": [0]}, {"name": "hard", "max_score": 70, "tests": [1, 2]}],
        {
            "on_reject": "continue",
            "groups": [
                {"name": "easy", "accept_score": 30, "tests": [0]},
                {"accept_score": 70, "grader_flags": "min", "on_reject": "break", "tests": [2, 1]},
            ],
        },
    ],
)
def test_generic_reads_groups(groups: Any) -> None:
    tests = [{"input": text, "output": text} for text in "123"]
    problem = {"id": "echo", "statement": "Say it.", "tests": tests, "groups": groups}
    row = row_of("generic", problem)
    with Grader(workers=1) as grader:
        for code, points in (("print(input())", 100), ("print(min(int(input()), 2))", 30)):
            found = [
                grader.grade(one, Submission("a", "echo", code))
                for one in (to_problem(row), Problem.from_dict(problem))
            ]
            assert [one.points for one in found] == [points, points]
    with pytest.raises(Reject, match="broken_groups"):
        row_of("generic", {**problem, "groups": [{"name": "easy", "max_score": 30, "tests": [0, 7]}]})


BROKEN = [
    ("taco", {"question": "  "}, "no_statement"),
    ("taco", taco_record(1, input_output="{broken"), "broken_column"),
    ("taco", taco_record(1, input_output='{"inputs": ["1"], "outputs": []}'), "tests_do_not_pair"),
    ("taco", taco_record(1, input_output='{"inputs": [null], "outputs": ["1"]}'), "broken_tests"),
    ("taco", taco_record(1, input_output='{"inputs": "12", "outputs": "34"}'), "broken_tests"),
    ("taco", taco_record(1, input_output="[1]"), "broken_tests"),
    (
        "deepcoder",
        {"problem": "P", "tests": '[{"testtype": "functional", "input": "1", "output": "2"}]'},
        "no_entry_point",
    ),
    ("deepcoder", {"problem": "P", "tests": "7"}, "broken_tests"),
    ("livecodebench", livecodebench(public_test_cases='[{"output": "1"}]'), "broken_tests"),
    ("livecodebench", livecodebench(question_id=""), "no_id"),
    ("leetcode_dataset", leetcode("def check(c"), "broken_tests"),
    ("leetcode_dataset", leetcode(""), "no_tests"),
    ("humaneval", {"task_id": "x", "prompt": "def f(): ...", "entry_point": "f", "test": ""}, "no_tests"),
    ("mbpp", {"text": "T", "task_id": 1, "test_list": []}, "no_tests"),
    ("generic", {"id": "a", "statement": "S", "tests": [{"output": "1"}]}, "broken_tests"),
    ("generic", {"id": "a", "statement": "S", "tests": "x = 1"}, "broken_column"),
    ("generic", {"id": "a", "statement": "S", "kind": "essay"}, "unknown_kind"),
    ("generic", {"id": "a", "statement": "S", "checker": {"kind": "magic"}}, "broken_checker"),
]


@pytest.mark.parametrize(("source", "record", "reason"), BROKEN)
def test_broken_records_are_rejected_by_name(source: str, record: dict[str, Any], reason: str) -> None:
    with pytest.raises(Reject) as refused:
        row_of(source, record)
    assert refused.value.reason == reason


values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.binary(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
NAMES = sorted(
    {*taco_record(1), *livecodebench(), *leetcode(""), "problem", "description", "public_tests", "tests", "metadata"}
    | {"text", "test_list", "prompt", "code", "id", "statement", "private_test_cases", "solutions", "checker"}
)


@pytest.mark.parametrize("source", sorted(SOURCES))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(record=st.dictionaries(st.sampled_from(NAMES), values, max_size=12))
def test_any_record_becomes_a_row_or_a_reject(
    source: str, record: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / f"{source}.jsonl"
    path.write_text(json.dumps(record, default=repr) + "\n")
    from microcoder_data.reading.scanning import scan
    from microcoder_data.shards import TestStore

    spec = SourceSpec(source=source, path=(str(path),))
    out = list(rows_of(scan((0, str(path), 1 << 20)).parts, spec, TestStore(path.parent / "tests"), None, strict=False))
    assert len(out) == 1
    row, entry = out[0]
    assert (row is None) != (entry is None)
    assert row is None or row["problem_id"].startswith(f"{source}:")
    assert entry is None or entry["reason"]
