"""`data init` on files as companies have them: what it sees, a recipe that keeps sound problems, what it refuses."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import zstandard
from click.testing import CliRunner, Result

from microcoder_data.commands import data
from microcoder_data.own_files.dataset import make_dataset
from microcoder_data.own_files.infer_fields import infer_fields
from microcoder_data.own_files.look import look
from microcoder_data.report.dataset import rows
from microcoder_data.report.validate import validate
from microcoder_data.sources.called_function import method_of_solution
from tests.data.sources.test_sites_and_benchmarks import DOOCS

# ruff: noqa: E501 - a task is one line
TASKS = [
    ("sum", "Read two numbers from our form and print what both together come to.", lambda a, b: a + b),
    ("product", "The warehouse stacks boxes in a rows of b. How many boxes are there?", lambda a, b: a * b),
    ("larger", "Of two offers the department takes the more expensive one. Which price is that?", max),
    ("rest", "After sharing a sweets among b children, how many are left over in the bag?", lambda a, b: a % b),
    ("сумма", "Даны два целых числа. Выведите их разность, то есть первое минус второе, в одной строке.", lambda a, b: a - b),
    ("power", "Ein Kapital verdoppelt sich oft. Gib aus, wie viel a hoch b für die beiden Zahlen ergibt.", lambda a, b: a**b),
]  # fmt: skip
PAIRS = [(7, 2), (9, 4), (5, 5), (12, 7)]


def records() -> list[dict[str, Any]]:
    """Sound problems without samples, without sections, two of them not in English."""
    return [
        {
            "qid": f"K-{number}",
            "meta": {"team": "core"},
            "body": statement,
            "cases": [{"in": f"{a} {b}", "expected": f"{answer(a, b)}"} for a, b in PAIRS],
        }
        for number, (_, statement, answer) in enumerate(TASKS)
    ]


def run(*arguments: object) -> Result:
    return CliRunner().invoke(data, list(map(str, arguments)))


@pytest.mark.parametrize("form", ["array", "lines", "csv", "parquet"])
def test_a_sound_file_keeps_every_problem(tmp_path: Path, form: str) -> None:
    given = records()
    file = tmp_path / f"acme.{ {'array': 'json', 'lines': 'jsonl'}.get(form, form) }"
    if form == "array":
        file.write_text(json.dumps(given))
    elif form == "lines":
        file.write_text("".join(json.dumps(each) + "\n" for each in given))
    else:
        flat = [
            {"Task ID": each["qid"], "Question": each["body"]}
            | {
                "Inputs": [case["in"] for case in each["cases"]],
                "Outputs": [case["expected"] for case in each["cases"]],
            }
            for each in given
        ]
        if form == "parquet":
            import pyarrow.parquet

            pyarrow.parquet.write_table(pyarrow.Table.from_pylist(flat), file)
        else:
            with open(file, "w", newline="") as opened:
                table = csv.DictWriter(opened, flat[0].keys())
                table.writeheader()
                table.writerows(
                    {k: json.dumps(v) if isinstance(v, list) else v for k, v in each.items()} for each in flat
                )
    recipe = tmp_path / "my recipe.yaml"
    shown = run("init", file, "--out", recipe)
    assert shown.exit_code == 0, shown.output
    assert f"next: microcoder data build '{recipe}' --out" in shown.output
    assert (
        f"{len(given)} of {len(given)} are kept" in shown.output and "ru 1" in shown.output and "de 1" in shown.output
    )
    out = tmp_path / "my out"
    built = run("build", recipe, "--out", out, "--workers", "1", "--quiet")
    assert built.exit_code == 0, built.output
    assert f"{len(given)} rows in" in built.output and f"next: microcoder data inspect '{out}'\n" in built.output
    assert {row["statement"] for row in rows(out)} == {each["body"] for each in given}
    assert not validate(out)


def test_the_account_and_why_name_the_key_and_the_value(tmp_path: Path) -> None:
    (tmp_path / "acme.json").write_text(json.dumps(records()[:4]))
    fields = "{problem_id: qid, statement: body, tests: cases, test_input: in, test_output: expected}"
    source = f"{{source: generic, path: {tmp_path / 'acme.json'}, fields: {fields}}}"
    recipe = tmp_path / "r.yaml"
    recipe.write_text(f"sources:\n  - {source}\nprocess:\n  completeness: {{samples: false, min_tests: 5}}\n")
    built = run("build", recipe, "--out", tmp_path / "out", "--workers", "1", "--quiet")
    assert "to keep: process.completeness.min_tests: 4" in built.output
    why = run("why", "K-0", "--in", tmp_path / "out")
    assert "  to keep it: process.completeness.min_tests: 4" in why.output
    assert "process.completeness.min_tests: 4" in (tmp_path / "out" / "report.html").read_text()
    recipe.write_text(recipe.read_text().replace("min_tests: 5", "min_tests: 4, sections: false"))
    again = run("build", recipe, "--out", tmp_path / "again", "--workers", "1", "--quiet")
    assert "process.completeness" not in again.output, "the row passes the rule whose key was changed"
    assert "to keep: filter.quality.min_words: 13" in again.output


@pytest.mark.parametrize(("bare", "relaxed"), [(1, False), (4, True)])
def test_sections_are_demanded_where_few_rows_lack_them(tmp_path: Path, bare: int, relaxed: bool) -> None:
    full = "Read the number a from the only line of the input. Multiply it by {} and print the product on one line of its own."
    short = (
        "Take a, which is the number of hats of a family, and go on until {} of them are left over for the neighbours."
    )
    given = [
        {
            "id": number,
            "statement": (short if number < bare else full).format(f"{number}{number}{number}"),
            "tests": [{"input": f"{a}", "output": f"{a * number * 111}"} for a in range(2, 6)],
        }
        for number in range(1, 21)
    ]
    given[0]["statement"] = short.format(7)
    (tmp_path / "acme.json").write_text(json.dumps(given))
    shown = run("init", tmp_path / "acme.json", "--out", tmp_path / "r.yaml")
    assert shown.exit_code == 0, shown.output
    assert ("sections: false" in (tmp_path / "r.yaml").read_text()) == relaxed


def test_rows_whose_formulas_are_missing_are_never_made_to_fit(tmp_path: Path) -> None:
    told = "{} Print the {}.\n\n## Input\n\nTwo numbers.\n\n## Output\n\nOne number.\n\n## Example\n\nInput\n```\n{}\n```\nOutput\n```\n{}\n```"
    cut = "The price of all of the hats together is ![](), as the owner of the shop knows well."
    whole = "The price of all of the hats together is 7, as the owner of the shop knows well."
    names = ["first hat", "last shoe", "warmest coat", "longest sock", "oldest scarf", "widest belt"]
    tasks = [{"qid": n, "body": told.format(whole if n < 4 else cut, name, n, n)} for n, name in enumerate(names)]
    (tmp_path / "acme.json").write_text(json.dumps(tasks))
    assert run("init", tmp_path / "acme.json", "--out", tmp_path / "acme.yaml").exit_code == 0
    recipe = (tmp_path / "acme.yaml").read_text()
    assert "images" not in recipe


def test_merged_rows_name_the_key_that_lets_them_be_merged(tmp_path: Path) -> None:
    one, other = records()[:2]
    other["cases"] += [{"in": f"{n} 1000", "expected": f"{n * 1000}"} for n in range(10)]
    told_again = {**other, "qid": "K-9", "body": "Print how many seats a cinema with this many rows of seats has."}
    (tmp_path / "acme.json").write_text(json.dumps([one, {**one, "qid": "K-8"}, other, told_again]))
    shown = run("init", tmp_path / "acme.json", "--out", tmp_path / "r.yaml")
    built = run("build", tmp_path / "r.yaml", "--out", tmp_path / "out", "--workers", "1", "--quiet")
    page = (tmp_path / "out" / "report.html").read_text()
    for text in (shown.output, built.output, page):
        assert "compare.duplicates: false" in text and "compare.duplicates.tests: false" in text
    assert "to keep it: compare.duplicates.tests: false" in run("why", "K-9", "--in", tmp_path / "out").output
    recipe = tmp_path / "apart.yaml"
    recipe.write_text((tmp_path / "r.yaml").read_text() + "compare: {duplicates: false}\n")
    apart = run("build", recipe, "--out", tmp_path / "apart", "--workers", "1", "--quiet")
    assert "4 rows in" in apart.output


def test_broken_tests_are_never_made_to_fit(tmp_path: Path) -> None:
    given = records()[:3]
    given[0]["cases"] = [{"in": "1 1", "expected": "2"}, {"in": "1 1", "expected": "3"}]
    (tmp_path / "acme.json").write_text(json.dumps(given))
    shown = run("init", tmp_path / "acme.json", "--out", tmp_path / "r.yaml")
    assert "2 of 3 are kept" in shown.output and "no_sound_tests" in shown.output
    assert "its tests must be mended" in shown.output


def test_a_table_with_a_column_for_each_input_is_read(tmp_path: Path) -> None:
    lines = [["nr", "Text", "input 1", "output 1", "input 2", "output 2", "code"]]
    for number, (each, solved) in enumerate(zip(records()[:4], with_programs(), strict=False)):
        pairs = [side for case in each["cases"][:2] for side in (case["in"], case["expected"])]
        lines.append([str(number), each["body"], *pairs[: 4 if number else 2], *([] if number else ["", ""])])
        lines[-1].append(solved["gold_answer_v2"])
    with (tmp_path / "acme.csv").open("w", newline="") as file:
        csv.writer(file, delimiter=";").writerows(lines)
    shown = run("init", tmp_path / "acme.csv", "--out", tmp_path / "r.yaml")
    assert "inputs from `input *`, outputs from `output *`" in shown.output
    assert "problem_id from `nr`" in shown.output and "solutions from `code`" in shown.output
    assert "tests: 1 to 2 a problem" in shown.output and "4 of 4 are kept" in shown.output


@pytest.mark.parametrize(("given", "wanted"), [("in", "out"), ("stdin", "stdout"), ("given", "expected")])
def test_tests_in_an_object_of_two_lists_are_found(given: str, wanted: str) -> None:
    records = [{"ex": f"1.{n}", "text": "Print n.", "io": {wanted: ["1", "2"], given: ["1", "2"]}} for n in range(3)]
    fields, unused = infer_fields(records)
    assert (fields["inputs"], fields["outputs"], unused) == (f"io.{given}", f"io.{wanted}", [])


def test_a_test_in_numbered_fields_is_neither_id_nor_statement() -> None:
    told = "Read all the numbers that are on the first line and print their sum."
    texts = [
        "the numbers of the first line are one and two and three and so on, as many as you like to read",
        "four five",
    ]
    records = [
        {"input1": text, "output1": str(number), "output": "x", "output_kind": "y", "a": told}
        for number, text in enumerate(texts * 2)
    ]
    fields, unused = infer_fields(records)
    assert fields == {"inputs": "input*", "outputs": "output*", "statement": "a"}
    assert unused == ["output", "output_kind"]  # what `output*` does not read is said


def test_limits_beside_a_statement_whose_samples_are_the_tests_are_read(tmp_path: Path) -> None:
    shown = "## Input\n\nA number.\n\n## Output\n\nThe same.\n\n## Example\n\nInput\n```\n7\n```\nOutput\n```\n7\n```\n"
    told = [
        {"id": f"P{n}", "title": f"Hats {n}", "statement": f"Print the {each} number.\n\n{shown}", "time_limit": "3s"}
        for n, each in enumerate(("first", "last", "only", "given"))
    ]
    (tmp_path / "hats.json").write_text(json.dumps(told))
    seen = look([tmp_path / "hats.json"], 300)
    assert (seen.fields["time_limit"], seen.fields["problem_id"], seen.unused) == ("time_limit", "id", [])


def test_an_id_is_one_although_a_problem_is_there_twice() -> None:
    told = [{"id": f"P{n}", "round": f"R{n // 5}", "text": f"Print {n}.", "folder": n} for n in range(40)]
    assert infer_fields([*told, {**told[7], "folder": 41}])[0]["problem_id"] == "id"
    assert "problem_id" not in infer_fields([{**one, "id": f"P{n // 2}"} for n, one in enumerate(told)])[0]


def test_a_field_that_cannot_be_guessed_is_asked_for_and_named(tmp_path: Path) -> None:
    given = [{"a1": each["body"], "b2": {"c3": each["cases"], "d4": 1}, "qid": each["qid"]} for each in records()]
    (tmp_path / "acme.json").write_text(json.dumps(given))
    asked = run("init", tmp_path / "acme.json", "--out", tmp_path / "r.yaml")
    assert asked.exit_code != 0 and "--field tests=NAME" in str(asked.exception or asked.output) + asked.output
    fields = ("--field=statement=a1", "--field=tests=b2.c3")
    refused = run("init", tmp_path / "acme.json", "--out", tmp_path / "r.yaml", *fields, "--field=test_input=given")
    assert "the tests at `b2.c3` cannot be read: broken_tests: a test without given" in refused.output
    named = run("init", tmp_path / "acme.json", "--out", tmp_path / "r.yaml", *fields)
    assert named.exit_code == 0 and "6 of 6 are kept" in named.output, "what a test calls its sides is found"


def test_every_column_can_be_named_and_a_date_is_found(tmp_path: Path) -> None:
    given = [each | {"Datum": f"2024-05-0{number}", "site": "acme"} for number, each in enumerate(records(), 1)]
    (tmp_path / "acme.json").write_text(json.dumps(given))
    named = ("--field=contest_date=Datum", "--field=platform=site")
    shown = run("init", tmp_path / "acme.json", "--out", tmp_path / "r.yaml", *named)
    assert shown.exit_code == 0 and "contest_date from `Datum`, platform from `site`" in shown.output, shown.output
    assert infer_fields([{"body": "Add.", "date": "2024-05-01"}])[0]["contest_date"] == "date"
    assert "contest_date" not in infer_fields([{"body": "Add.", "date": "tomorrow"}])[0]


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("solutions=caes", "--field solutions=caes: no record has `caes`; did you mean 'cases'?"),
        ("statement=Aufgabe", "no record has `Aufgabe`; known: qid, meta, body, cases"),
        ("statement=body.text", "no record has `body.text`"),
        ("statment=body", "unknown column 'statment'; did you mean 'statement'?"),
        ("statement", "write COLUMN=FIELD, such as statement=body"),
        ("statement=", "write COLUMN=FIELD, such as statement=body"),
    ],
)
def test_a_mistyped_field_is_named(tmp_path: Path, option: str, said: str) -> None:
    (tmp_path / "acme.json").write_text(json.dumps(records()))
    refused = run("init", tmp_path / "acme.json", "--out", tmp_path / "r.yaml", "--field", option)
    assert refused.exit_code == 2 and said in refused.output, refused.output
    assert not (tmp_path / "r.yaml").exists()


def test_records_that_are_one_test_each_are_read_when_both_sides_are_named(tmp_path: Path) -> None:
    rows = [[each["qid"], each["body"], *test.values()] for each in records() for test in each["cases"][:1]]
    (tmp_path / "acme.csv").write_text(table_of(["Nummer", "Aufgabe", "Eingabe", "Ausgabe"], rows, ";"))
    asked = run("init", tmp_path / "acme.csv", "--out", tmp_path / "r.yaml")
    assert asked.exit_code == 2 and "--field test_input=NAME --field test_output=NAME" in asked.output
    named = ("--field=test_input=Eingabe", "--field=test_output=Ausgabe")
    shown = run("init", tmp_path / "acme.csv", "--out", tmp_path / "r.yaml", *named)
    assert shown.exit_code == 0 and "6 of 6 are kept" in shown.output, shown.output


def test_a_recipe_is_not_replaced_and_a_missing_file_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "r.yaml").write_text("mine")
    (tmp_path / "acme.json").write_text(json.dumps(records()))
    kept = run("init", tmp_path / "acme.json", "--out", tmp_path / "r.yaml")
    assert kept.exit_code == 2 and "--force" in kept.output and (tmp_path / "r.yaml").read_text() == "mine"
    assert run("init", tmp_path / "none.json", "--out", tmp_path / "x.yaml").exit_code == 2


def test_a_recipe_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "acme.json").write_text(json.dumps(records()))
    shown = run("init", tmp_path / "acme.json", "--out", "/proc/recipe.yaml")
    assert shown.exit_code == 2 and "/proc/recipe.yaml: " in shown.output + str(shown.exception)


def test_nested_fields_and_those_that_nothing_takes() -> None:
    fields, unused = infer_fields([{"meta": {"slug": "a"}, "Text": "x", "limits": {"seconds": 2}, "owner": "me"}])
    assert fields == {"problem_id": "meta.slug", "statement": "Text", "time_limit": "limits.seconds"}
    assert unused == ["owner"]


def with_programs(right: bool = True) -> list[dict[str, Any]]:
    """English problems with a program in a field whose name says nothing."""
    signs = {"sum": "a + b", "product": "a * b", "larger": "max(a, b)", "rest": "a % b"}
    return [
        {**each, "gold_answer_v2": f"a, b = map(int, input().split())\nprint({signs[name] if right else 'a - b - 1'})"}
        for each, (name, _, _) in zip(records()[:4], TASKS, strict=False)
    ]


def test_programs_are_found_by_what_they_are_and_run(tmp_path: Path) -> None:
    (tmp_path / "acme.json").write_text(json.dumps(with_programs()))
    shown = run("init", tmp_path / "acme.json", "--out", tmp_path / "r.yaml")
    assert shown.exit_code == 0, shown.output
    assert "solutions from `gold_answer_v2`" in shown.output and "with solutions: 4 (python 4)" in shown.output
    assert "solutions of at most 4 of the records are run, each up to 20 s of CPU time" in shown.output
    assert "and on 4 of them, with their solutions run against their tests" in shown.output
    (tmp_path / "acme.json").write_text(json.dumps(with_programs(right=False)))
    refused = run("init", tmp_path / "acme.json", "--out", tmp_path / "s.yaml").output.split("run against")[1]
    assert "4 dropped execution_v5 solutions_contradict_tests" in " ".join(refused.split())
    assert "4 of 4 are kept before solutions are run, and 0 of 4 after that" in refused
    assert "to keep: its solution or its tests must be mended" in refused


def test_a_field_of_wrong_or_unfinished_programs_is_no_solution() -> None:
    program = "a, b = map(int, input().split())\nprint(a + b)"
    base = {"body": "Add two numbers, please.", "cases": [{"input": "1 2", "output": "3"}]}
    assert "solutions" not in infer_fields([{**base, "buggy": program}])[0]
    assert "solutions" not in infer_fields([{**base, "hint_text": "print the sum of a and b"}])[0]
    assert "solutions" not in infer_fields([{**base, "one": program, "two": program}])[0], "which one is not known"
    assert infer_fields([{**base, "reply": f"Here:\n```python\n{program}\n```"}])[0]["solutions"] == "reply"
    assert (
        infer_fields([{**base, "answers": {"python3": program, "C++": ["int main() {}"]}}])[0]["solutions"] == "answers"
    )
    assert "solutions" not in infer_fields([{**base, "answers": {"python3": program, "author": "me"}}])[0]


def test_a_class_solution_makes_a_problem_of_calls(tmp_path: Path) -> None:
    solution = "class Solution:\n    def addDigits(self, n: int) -> int:\n        return (n - 1) % 9 + 1 if n else 0\n"
    record = {
        "titleSlug": "add-digits",
        "content": "<p>Add the digits of <code>n</code> until one digit is left, and return this digit as a number.</p>",
        "solution": solution,
        "testCases": [{"input": str(n), "output": str((n - 1) % 9 + 1)} for n in (7, 38, 99, 12345)],
    }
    (tmp_path / "leet.json").write_text(json.dumps([record]))
    shown = run("init", tmp_path / "leet.json", "--out", tmp_path / "r.yaml")
    assert "kinds: call 1" in shown.output and "1 of 1 are kept" in shown.output, shown.output
    built = run("build", tmp_path / "r.yaml", "--out", tmp_path / "out", "--workers", "1", "--quiet")
    assert "1 row in" in built.output, built.output
    assert [(row["kind"], row["entry_point"]) for row in rows(tmp_path / "out")] == [("call", "Solution.addDigits")]


def test_a_function_whose_tests_hold_values_makes_a_problem_of_calls(tmp_path: Path) -> None:
    solution = "def twice(n):\n    return 2 * n\n\ndef combine(a, b):\n    return twice(a) + b\n"
    tests = [{"args": [n, n + 3], "result": 3 * n + 3} for n in range(4)]
    record = {"body": "Return two times the number a plus the number b.", "checks": tests, "gold": solution}
    (tmp_path / "own.json").write_text(json.dumps([record]))
    shown = run("init", tmp_path / "own.json", "--out", tmp_path / "r.yaml")
    assert "kinds: call 1" in shown.output and "1 of 1 are kept" in shown.output, shown.output
    written = [{"call": f"combine({n}, {n + 3})", "expected": str(3 * n + 3)} for n in range(4)]
    (tmp_path / "own.json").write_text(json.dumps([{**record, "checks": written}]))
    shown = run("init", tmp_path / "own.json", "--out", tmp_path / "s.yaml")
    assert "kinds: call 1" in shown.output and "1 of 1 are kept" in shown.output, shown.output
    (tmp_path / "own.json").write_text(json.dumps([{**record, "gold": "print(sum(map(int, open(0))))"}]))
    assert look([tmp_path / "own.json"], most=10).kinds == {"stdin": 1}, "a program that reads its input"


@pytest.mark.parametrize(
    ("program", "method"),
    [
        ("class Solution:\n    def f(self, n):\n        return n\n", "Solution.f"),
        ("class Solution(object):\n\tdef f(self, n): return self._g(n)\n\tdef _g(self, n): return n\n", "Solution.f"),
        ("class Solution:\n    def f(self, n): return n\nprint(Solution().f(int(input())))\n", None),
        ("class Solution:\n    def f(self, n): return n\n    def g(self, n): return n\n", None),
        ("def f(n):\n    return n\n", None),
        ("class Solver:\n    def f(self): pass\n", None),
    ],
)
def test_the_method_of_a_class_solution(program: str, method: str | None) -> None:
    assert method_of_solution(program) == method


def test_instructions_without_tests_say_what_is_needed(tmp_path: Path) -> None:
    given = [{"instruction": "Write a program that adds.", "input": "", "output": "print(1)"}]
    (tmp_path / "alpaca.json").write_text(json.dumps(given))
    asked = run("init", tmp_path / "alpaca.json", "--out", tmp_path / "r.yaml")
    said = str(asked.exception or "") + asked.output
    assert asked.exit_code != 0 and "which field holds the tests?" in said and "--field test_code=NAME" in said
    assert "A problem without tests cannot be graded" in said


STORIES = [
    "The warehouse gives two numbers of boxes in one line. Print how many boxes there are in all of them.",
    "A ferry carries cars and bicycles over the river today. Both counts are known; write down what they come to.",
    "Two friends put their savings together to buy a boat. How much money do both of them have for it?",
]
SUM = "a, b = map(int, input().split())\nprint(a + b)"
SUMS = [("1 2", "3"), ("30 4", "34"), ("5 5", "10")]


def of_each(**fields: Any) -> str:
    return json.dumps([{"nr": f"T-{n}", "story": STORIES[n], **fields} for n in range(3)])


def table_of(header: list[str], rows: list[list[Any]], delimiter: str) -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerows([header, *rows])
    return text.getvalue()


OWN = {
    "pairs.json": of_each(tests=SUMS),
    "answers by input.json": of_each(tests=dict(SUMS)),
    "tests in groups.json": of_each(
        checks={
            "visible": [{"stdin": a, "stdout": b} for a, b in SUMS[:1]],
            "hidden": [{"stdin": a, "stdout": b} for a, b in SUMS[1:]],
        },
        reference={"lang": "py3", "source": SUM},
    ),
    "names that say nothing.json": of_each(c3=[{"q": given, "w": wanted} for given, wanted in SUMS], d4=SUM),
    "camel.json": of_each(testCases=[{"stdinText": given, "expectedStdout": wanted} for given, wanted in SUMS]),
    "another language.csv": table_of(
        ["codigo", "enunciado", "entradas", "salidas", "solucion"],
        [[f"T-{n}", STORIES[n], *(json.dumps(side) for side in zip(*SUMS, strict=True)), SUM] for n in range(3)],
        ";",
    ),
    "a test a line.csv": table_of(
        ["task", "description", "input", "expected output"],
        [[f"T-{n}", STORIES[n], *test] for n in range(3) for test in SUMS],
        ",",
    ),
    "by id.json": json.dumps(
        {f"T-{n}": {"story": STORIES[n], "tests": [{"in": a, "out": b} for a, b in SUMS]} for n in range(3)}
    ),
}


@pytest.mark.parametrize("name", OWN)
def test_fields_are_found_by_what_they_hold(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(OWN[name])
    shown = run("init", tmp_path / name, "--out", tmp_path / "r.yaml")
    assert shown.exit_code == 0 and "3 of 3 are kept" in shown.output, shown.output
    built = run("build", tmp_path / "r.yaml", "--out", tmp_path / "out", "--workers", "1", "--quiet")
    assert built.exit_code == 0, built.output
    made = list(rows(tmp_path / "out"))
    assert {row["problem_id"].rpartition(":")[2] for row in made} == {"T-0", "T-1", "T-2"}
    assert [[(test["input"], test["output"]) for test in row["tests"]] for row in made] == [SUMS] * 3


HEAD = 'def total(a: int, b: int) -> int:\n    """Add two integers.\n\n    >>> total(1, 2)\n    3\n    """\n'
UNIT = "import unittest\n\nclass T(unittest.TestCase):\n    def test_t(self):\n        self.assertEqual(Adder().add(1, 2), 3)\n"


@pytest.mark.parametrize(
    "record, source, columns",
    [
        (
            {"prompt": "Add.", "test": ["assert f(1) == 1"], "code": "def f(n): return n"},
            "generic",
            "solutions test_code",
        ),
        (
            {
                "class_description": "Adds integers, one after another.",
                "test": UNIT,
                "solution_code": "class Adder: pass",
            },
            "generic",
            "solutions test_code",
        ),
        ({"prompt": HEAD, "canonical_solution": "    return a + b\n", "test": "check(total)\n"}, "humaneval", ""),
        (
            {
                "prompt": "Add.",
                "test": "assert f(1) == 1",
                "code": "",
                "test_imports": [],
                "test_list": ["assert f(1)"],
            },
            "mbpp_plus",
            "",
        ),
    ],
    ids=["assertions in a list", "unittest", "HumanEval-X", "MBPP+"],
)
def test_a_field_called_test_holds_assertions_of_their_own_or_of_a_publisher(
    tmp_path: Path, record: dict[str, Any], source: str, columns: str
) -> None:
    (tmp_path / "t.jsonl").write_text("".join(json.dumps({"task_id": f"T/{k}", **record}) + "\n" for k in range(2)))
    seen = look([tmp_path / "t.jsonl"], most=10)
    assert (seen.source, seen.rows) == (source, 2)
    assert set(columns.split()) <= seen.fields.keys()


def test_the_notes_beside_arrow_files_are_no_records(tmp_path: Path) -> None:
    import pyarrow.ipc

    table = pyarrow.Table.from_pylist(json.loads(OWN["names that say nothing.json"]))
    with pyarrow.ipc.new_stream(tmp_path / "data-00000-of-00001.arrow", table.schema) as writer:
        writer.write_table(table)
    (tmp_path / "state.json").write_text('{"_split": "train"}')
    shutil.copy(next(tmp_path.glob("*.arrow")), tmp_path / "cache-c4d15d30f7.arrow")
    seen = look([tmp_path], most=10)
    assert (seen.records, seen.rows) == (3, 3)


def test_a_folder_with_a_file_a_problem(tmp_path: Path) -> None:
    folder = tmp_path / "tasks [2024]" / "easy"
    folder.mkdir(parents=True)
    for number, record in enumerate(json.loads(OWN["pairs.json"])):
        (folder / f"{number}.json").write_text(json.dumps(record, indent=1))
    shown = run("init", folder.parent, "--out", tmp_path / "r.yaml")
    assert "3 of 3 are kept" in shown.output and "in 3 files" in shown.output, shown.output
    assert run("init", tmp_path / "tasks [2024]" / "none", "--out", tmp_path / "x.yaml").exit_code == 2


@pytest.mark.parametrize("names", [("instruction", "input", "output"), ("prompt", "answer", "source")])
def test_questions_with_answers_are_no_problems_with_tests(tmp_path: Path, names: tuple[str, str, str]) -> None:
    (tmp_path / "chats.json").write_text(
        json.dumps(
            [dict(zip(names, (story, f"Kind {n}.", f"Gladly, {n}."), strict=True)) for n, story in enumerate(STORIES)]
        )
    )
    asked = run("init", tmp_path / "chats.json", "--out", tmp_path / "r.yaml")
    assert asked.exit_code == 2 and "which field holds the tests?" in asked.output, asked.output


@pytest.mark.parametrize("name", ["pairs [new].json", "pairs.jsonl.zst", "folder.v2"])
def test_a_dataset_is_made_in_one_call_and_used_again(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    content = OWN["pairs.json"].encode()
    if name == "folder.v2":
        file.mkdir()
        (file / "all.json").write_bytes(content)
    elif name.endswith(".zst"):
        lines = "\n".join(json.dumps(record) for record in json.loads(content))
        file.write_bytes(zstandard.ZstdCompressor().compress(lines.encode()))
    else:
        file.write_bytes(content)
    first, second = (make_dataset(file, tmp_path / "datasets", workers=1) for _ in range(2))
    assert first == second and (first.records, first.rows) == (3, 3)
    assert first.folder.name == {"pairs [new].json": "pairs__new_", "pairs.jsonl.zst": "pairs"}.get(name, "folder_v2")


def test_fields_that_the_projects_own_format_lacks_are_named(tmp_path: Path) -> None:
    tests = [{"input": "1", "output": "2"}, {"input": "2", "output": "4"}]
    record = {"id": "twice", "statement": "Read a number and print it twice as large.", "tests": tests, "wrong": "x"}
    (tmp_path / "p.json").write_text(json.dumps([record]))
    shown = run("init", tmp_path / "p.json", "--out", tmp_path / "r.yaml")
    assert "format: generic" in shown.output and "not used: wrong\n" in shown.output, shown.output


def test_a_publishers_file_of_which_the_source_reads_most_records(tmp_path: Path) -> None:
    rest = {**DOOCS, "solutions": {"Solution.sql": "SELECT 1"}}
    lines = [json.dumps(record) for record in (DOOCS, rest, DOOCS)]
    (tmp_path / "dump.jsonl").write_text("\n".join(lines))
    shown = run("init", tmp_path / "dump.jsonl", "--out", tmp_path / "r.yaml")
    assert "format: doocs_leetcode" in shown.output, shown.output
    assert (
        "not readable: 1 not_python" in shown.output and "source: doocs_leetcode" in (tmp_path / "r.yaml").read_text()
    )


CHATS = {
    "messages": lambda asked, said: [{"role": "system", "content": "You write Python."}, {"role": "user", "content": asked},
                                     {"role": "assistant", "content": said}],
    "conversations": lambda asked, said: [{"from": "human", "value": asked}, {"from": "gpt", "value": said}],
}  # fmt: skip


@pytest.mark.parametrize("field", CHATS)
def test_chats_give_statement_and_solution_and_the_samples_are_the_tests(tmp_path: Path, field: str) -> None:
    asked = [
        f"{story}\n\nSample Input:\n{a}\n\nSample Output:\n{b}" for story, (a, b) in zip(STORIES, SUMS, strict=True)
    ]
    asked[2] = STORIES[2]
    chats = [{field: CHATS[field](each, f"Sure.\n```python\n{SUM}\n```")} for each in asked]
    (tmp_path / "sft.json").write_text(json.dumps(chats))
    shown = run("init", tmp_path / "sft.json", "--out", tmp_path / "r.yaml")
    assert f"fields: statement from `{field}.user`, solutions from `{field}.assistant`" in shown.output, shown.output
    assert "the samples are the tests" in shown.output and "not used" not in shown.output
    assert "1 rejected adapter_v1 no_tests" in shown.output and "2 of 3 are kept" in shown.output
    built = run("build", tmp_path / "r.yaml", "--out", tmp_path / "out", "--workers", "1", "--quiet")
    assert "2 rows in" in built.output, built.output
    assert [row["tests"][0]["output"].strip() for row in rows(tmp_path / "out")] == ["3", "34"]
    assert not validate(tmp_path / "out")
    for record in chats:
        record["checks"] = SUMS
    (tmp_path / "sft.json").write_text(json.dumps(chats))
    shown = run("init", tmp_path / "sft.json", "--out", tmp_path / "r.yaml", "--force")
    assert "tests from `checks`" in shown.output and "3 of 3 are kept" in shown.output, shown.output


def test_chats_without_samples_are_asked_for_their_tests(tmp_path: Path) -> None:
    (tmp_path / "sft.json").write_text(json.dumps([{"messages": CHATS["messages"](each, SUM)} for each in STORIES]))
    asked = run("init", tmp_path / "sft.json", "--out", tmp_path / "r.yaml")
    assert asked.exit_code == 2 and "which field holds the tests?" in asked.output
    assert "samples that `messages.user` shows under headings would be tests" in asked.output


def test_a_chat_is_no_list_of_tests() -> None:
    turns = [{"role": "user", "content": "Add."}, {"role": "assistant", "content": "Gladly."}]
    assert "tests" not in infer_fields([{"story": story, "c3": turns} for story in STORIES])[0]


def test_most_records_decide_what_a_field_is() -> None:
    base = {"id": "a", "statement": "Print the sum.", "tests": [{"input": "1", "output": "1"}]}
    given = [{**base, "id": str(n), "code": [] if n == 0 else "print(1)"} for n in range(5)]
    assert infer_fields(given)[0]["solutions"] == "code"
    given = [{**base, "id": str(n), "d4": ("", "# later", "print(1)", "print(2)", "print(3)")[n]} for n in range(5)]
    assert infer_fields(given)[0]["solutions"] == "d4"
    mixed = [{**base, "id": "same", "uid": n} for n in range(5)]
    assert infer_fields(mixed)[0]["problem_id"] == "uid", "an id differs in every record"


def test_a_test_program_may_be_called_test_cases() -> None:
    records = [
        {"problem": "Double x.", "testcases": f"def test_{n}():\n    assert twice({n}) == {2 * n}"} for n in range(9)
    ]
    assert infer_fields(records)[0]["test_code"] == "testcases"


def test_a_long_slug_is_an_id() -> None:
    records = [{"id": f"{'long-' * number}slug", "statement": "Add.", "tests": []} for number in range(20)]
    assert infer_fields(records)[0]["problem_id"] == "id"


@pytest.mark.parametrize("packed", [False, True])
def test_a_folder_for_each_problem(tmp_path: Path, packed: bool) -> None:
    for number, (name, statement, answer) in enumerate(TASKS):
        folder = tmp_path / "own" / ("easy" if number % 2 else "hard") / name
        (folder / "tests").mkdir(parents=True)
        (folder / "statement.md").write_text(statement)
        (folder / "solution.py").write_text("a, b = map(int, input().split())\nprint(a, b)")
        for case, (a, b) in enumerate(PAIRS):
            (folder / "tests" / f"{case}.in").write_text(f"{a} {b}\n")
            (folder / "tests" / f"{case}.ans").write_text(f"{answer(a, b)}\n")
    given = tmp_path / "own"
    if packed:
        given = Path(shutil.make_archive(str(given), "zip", given))
    seen = look([given], 100)
    assert (seen.source, seen.rows, seen.tests) == ("folders", len(TASKS), [len(PAIRS)] * len(TASKS))
    recipe = tmp_path / "recipe.yaml"
    settings = "process: {completeness: {samples: false, sections: false}, language: null}\n"
    settings += "filter: {quality: null, readability: null}\n"
    recipe.write_text(f"name: own\nsources: [{{source: folders, path: {given}}}]\n{settings}")
    built = run("build", recipe, "--out", tmp_path / "built")
    assert built.exit_code == 0, built.output
    ids = {row["problem_id"].partition(":")[2] for row in rows(tmp_path / "built")}
    assert {each.removeprefix("own/") for each in ids} == {
        f"{'easy' if number % 2 else 'hard'}/{name}" for number, (name, *_) in enumerate(TASKS)
    }


def test_a_judges_packages_are_read_by_the_source_that_reads_them(tmp_path: Path) -> None:
    package = tmp_path / "packages" / "sum"
    for name, text in {
        "problem.yaml": "name: Sum\nlimits: {time_limit: 1}\n",
        "problem_statement/problem.en.md": "Print the sum.",
        "data/secret/1.in": "1 2\n",
        "data/secret/1.ans": "3\n",
    }.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text)
    other = tmp_path / "packages" / "product"
    shutil.copytree(package, other)
    seen = look([tmp_path / "packages"], 10)
    assert (seen.source, seen.rows) == ("kattis", 2)


@pytest.mark.parametrize("style", ["codeforces", "atcoder"])
def test_a_scraped_table_whose_tests_are_html(tmp_path: Path, style: str) -> None:
    if style == "codeforces":
        shown = '<div class="input"><div class="title">Input</div><pre><div class="line">{0} {1}</div></pre></div>'
        shown += '<div class="output"><div class="title">Output</div><pre>{2}<br/></pre></div>'
    else:
        shown = "<h3>Sample Input 1</h3><pre>{0} {1}\n</pre><h3>Sample Output 1</h3><pre>\n{2}\n</pre>"
    file = tmp_path / "scraped.csv"
    with open(file, "w", newline="") as out:
        table = csv.writer(out)
        table.writerow(["index", "name", "description_html", "input_spec", "output_spec", "sample_tests"])
        for name, statement, answer in TASKS[:4]:
            tests = "".join(shown.format(a, b, answer(a, b)) for a, b in PAIRS)
            table.writerow(
                [
                    "A",
                    name,
                    f"<p>{statement}</p>",
                    "<p>Two integers <i>a</i> and <i>b</i>.</p>",
                    "<p>The answer.</p>",
                    tests,
                ]
            )
    seen = look([file], 100)
    expected = {
        "statement": "description_html",
        "tests": "sample_tests",
        "input_format": "input_spec",
        "output_format": "output_spec",
    }
    assert expected.items() <= seen.fields.items() and seen.unused == ["index"]
    made = make_dataset(file, tmp_path / "datasets")
    assert made.rows == 4
    first = next(row for row in rows(made.folder) if TASKS[0][1] in row["statement"])
    assert [(test["input"].strip(), test["output"].strip()) for test in first["tests"]] == [
        (f"{a} {b}", str(a + b)) for a, b in PAIRS
    ]


def test_a_list_of_tests_is_no_list_of_assertions_and_samples_have_a_field_of_their_own() -> None:
    tests = [{"input": "1", "output": "2"}, {"input": "2", "output": "3"}]
    task = {"description": "Print the number that follows n.", "sample_io": tests[:1]}
    fields, _ = infer_fields([{**task, "test_list": tests}])
    assert fields["tests"] == "test_list" and fields["samples"] == "sample_io"
    assert infer_fields([task])[0]["tests"] == "sample_io"
    fields, _ = infer_fields([{"text": "Add.", "test_list": ["assert add(1, 2) == 3"], "code": "def add(a, b): ..."}])
    assert fields["test_code"] == "test_list" and "tests" not in fields


def test_a_spreadsheet_with_its_tests_in_numbered_columns(tmp_path: Path) -> None:
    """As Excel exports it: semicolons, a mark at the beginning, headings with spaces and dots, other languages' words."""
    headings = ["Nr.", "Aufgabe", "Test 1 Eingabe", "Test 1 Ausgabe", "Test 2 Eingabe", "Test 2 Ausgabe", "Lösung"]
    lines = [headings] + [
        [f"{n}", f"Gib aus, wie viele Vielfache von {n} es gibt, die nicht größer als die gelesene Zahl sind.", *tests, f"print(int(input()) // {n})"]
        for n in range(3, 9)
        for tests in [(f"{n}", "1", f"{5 * n + 1}", "5")]
    ]  # fmt: skip
    with (tmp_path / "excel.csv").open("w", newline="", encoding="utf-8-sig") as file:
        csv.writer(file, delimiter=";", lineterminator="\r\n").writerows(lines)
    shown = run("init", tmp_path / "excel.csv", "--out", tmp_path / "r.yaml")
    assert "inputs from `Test * Eingabe`, outputs from `Test * Ausgabe`" in shown.output
    assert "problem_id from `Nr.`" in shown.output and "tests: 2 a problem" in shown.output


def test_a_table_with_a_test_a_line_has_the_name_that_each_statement_has(tmp_path: Path) -> None:
    rows = [["Kennung", "Aufgabe", "Eingabe", "Erwartete Ausgabe"]]
    for each in records():
        rows += [[each["qid"], each["body"], case["in"], case["expected"]] for case in each["cases"]]
    with (tmp_path / "t.csv").open("w", newline="") as file:
        csv.writer(file, delimiter=";").writerows(rows)
    shown = run("init", tmp_path / "t.csv", "--out", tmp_path / "r.yaml")
    assert "test_input from `Eingabe`, test_output from `Erwartete Ausgabe`" in shown.output
    assert "problem_id from `Kennung`" in shown.output and "6 of 6 are kept" in shown.output


def test_numbered_fields_that_are_no_tests_are_not_taken_for_tests() -> None:
    record = {"text": "Read a number and print its double.", "hint 1": "a", "tag 1": "b", "hint 2": "c", "tag 2": "d"}
    assert not {"inputs", "outputs", "tests"} & infer_fields([record] * 3)[0].keys()


def test_a_dump_of_codeforces_keeps_its_samples_and_its_rating(tmp_path: Path) -> None:
    dumped = [
        {
            "contestId": 1500 + n, "index": "A", "name": f"Boxes {n}", "rating": 800, "problem-description": each["body"],
            "demo-input": ["1 1"], "demo-output": [str(answer(1, 1))],
            "test_cases": [{"input": case["in"], "output": case["expected"]} for case in each["cases"]],
        }
        for n, (each, (_, _, answer)) in enumerate(zip(records()[:4], TASKS, strict=False))
    ]  # fmt: skip
    (tmp_path / "cf.jsonl").write_text("".join(json.dumps(each) + "\n" for each in dumped))
    seen = look([tmp_path / "cf.jsonl"], 300)
    assert (seen.with_samples, seen.fields["rating"]) == (4, "rating")
    assert seen.unused == ["contestId", "index"]
    liked = infer_fields([{**each, "rating": 4.5} for each in dumped])[0]
    assert "rating" not in liked  # stars of readers


@pytest.mark.parametrize(("language", "run_here"), [("cpp17", True), ("fortran", False)])
def test_solutions_that_cannot_be_run_here_are_named(tmp_path: Path, language: str, run_here: bool) -> None:
    program = "#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b; }"
    given = [{**records()[0], "programs": [{"language": language, "source": program}]}]
    (tmp_path / "acme.json").write_text(json.dumps(given))
    shown = run("init", tmp_path / "acme.json", "--out", tmp_path / "r.yaml")
    assert shown.exit_code == 0, shown.output
    assert ("with their solutions run" in shown.output) is run_here
    assert (f"the solutions ({language}) cannot be run here" in shown.output) is not run_here


def test_a_sample_of_a_longer_file_is_not_counted_as_the_file(tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text(json.dumps(records()))
    part = run("init", tmp_path / "p.json", "--sample", "5", "--out", tmp_path / "part.yaml")
    assert "the first 5 records in 1 file" in part.output and "5 of the first 5 are kept" in part.output
    assert "# the first 5 records" in (tmp_path / "part.yaml").read_text()
    whole = run("init", tmp_path / "p.json", "--sample", "6", "--out", tmp_path / "whole.yaml")
    assert "\n6 of 6 are kept" in whole.output and "the first" not in whole.output


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\n\n", "it holds no record"),
        ('{"statement": "Größe"}\n'.encode("latin-1"), "invalid_utf8 1; the first: invalid_utf8: byte 17"),
        (b"dear all,\nplease find it below\n", "no record could be read: broken_json 2"),
    ],
)
def test_a_file_without_records_says_why(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "p.jsonl").write_bytes(content)
    shown = run("init", tmp_path / "p.jsonl", "--out", tmp_path / "r.yaml")
    assert shown.exit_code == 2 and said in shown.output and ("iconv" in shown.output) == (b"\xf6" in content)


@pytest.mark.parametrize("shared", ["batch-1", None])
def test_an_id_that_most_records_share_is_none(tmp_path: Path, shared: str | None) -> None:
    given = [
        {"statement": one["body"], "meta": {"uid": one["qid"]}, "kind": "stdin"}
        | {"tests": [{"input": case["in"], "output": case["expected"]} for case in one["cases"]]}
        | ({"id": shared} if shared else {})
        for one in records()
    ]
    (tmp_path / "p.json").write_text(json.dumps(given))
    shown = run("init", tmp_path / "p.json", "--out", tmp_path / "r.yaml")
    assert "problem_id from `meta.uid`" in shown.output and "kind from `kind`" in shown.output
    assert "\n6 of 6 are kept" in shown.output and "not used" not in shown.output, shown.output


def test_a_record_that_is_there_twice_keeps_its_id(tmp_path: Path) -> None:
    given = [
        {"id": one["qid"], "statement": one["body"], "row": row}
        | {"tests": [{"input": case["in"], "output": case["expected"]} for case in one["cases"]]}
        for row, one in enumerate([*records(), records()[0]])
    ]
    (tmp_path / "p.json").write_text(json.dumps(given))
    assert "format: generic" in run("init", tmp_path / "p.json", "--out", tmp_path / "r.yaml").output


def test_an_id_is_one_though_records_are_there_twice_and_is_named_when_others_share_it(tmp_path: Path) -> None:
    given = records()
    (tmp_path / "twice.json").write_text(json.dumps([*given, given[0], given[3]]))
    twice = run("init", tmp_path / "twice.json", "--out", tmp_path / "twice.yaml")
    assert "problem_id from `qid`" in twice.output and "\n6 of 8 are kept" in twice.output
    (tmp_path / "shared.json").write_text(json.dumps([{**one, "qid": "K"} for one in given]))
    shared = run("init", tmp_path / "shared.json", "--out", tmp_path / "shared.yaml")
    assert "not used: qid (records share it, so it is no id), meta" in shared.output, shared.output


def test_a_statement_in_html_is_prose() -> None:
    text = "<p>A ship of <b>{}</b> crates is <i>unloaded</i>.</p><h3>In</h3><ul><li>how many</li></ul><h3>Out</h3><p>days</p>"
    given = [{"a1": text.format(n), "a2": [[f"{n}", f"{n}"]], "a3": f"x = {n}"} for n in range(4)]
    assert infer_fields(given)[0]["statement"] == "a1"


def test_lists_of_inputs_and_outputs_are_tests_though_a_record_lacks_some() -> None:
    pairs = [(f"{n} 1", f"{n + 1}") for n in range(4)]
    given = [
        {"Nr": f"A{n}", "Aufgabe": f"Order {n} asks for the number that comes after the one on the line."}
        | {"Eingabe": json.dumps([a for a, _ in pairs]), "Ausgabe": json.dumps([b for _, b in pairs[n == 3 :]])}
        for n in range(8)
    ]
    fields, _ = infer_fields(given)
    assert (fields["problem_id"], fields["inputs"], fields["outputs"]) == ("Nr", "Eingabe", "Ausgabe")


def test_dialogues_with_a_judge_are_not_kept(tmp_path: Path) -> None:
    """The samples of an interactive problem are no tests: a program of one's own would wait for the judge."""
    asked = [f"{story}\n\nSample Input:\n1 2\n\nSample Output:\n3" for story in STORIES]
    asked[1] = f"This is an interactive problem. {asked[1]}"
    (tmp_path / "mine.json").write_text(json.dumps([{"statement": each} for each in asked]))
    shown = run("init", tmp_path / "mine.json", "--out", tmp_path / "r.yaml")
    assert (
        "dropped relevance_v31 interactive" in shown.output and "interactive" not in (tmp_path / "r.yaml").read_text()
    )


def test_a_judges_program_is_no_solution_of_the_problem() -> None:
    judge = {"kind": "python", "code": "def check(input, expected, actual):\n    return True"}
    right = "print(sum(map(int, input().split())))"
    given = [{**record, "checker_json": json.dumps(judge), "solution_py": right} for record in records()]
    fields, unused = infer_fields(given)
    assert (fields["checker"], fields["solutions"], unused) == ("checker_json", "solution_py", ["meta"])
    fields, _ = infer_fields([{**record, "output_validator": judge, "generator": judge} for record in records()])
    assert "solutions" not in fields


def test_public_and_private_test_cases_are_samples_and_tests() -> None:
    given = [{**record, "public_test_cases": record["cases"][:1]} for record in records()]
    for record in given:
        record["private_test_cases"] = json.dumps(record.pop("cases"))
    fields, _ = infer_fields(given)
    assert (fields["samples"], fields["tests"]) == ("public_test_cases", "private_test_cases")


def test_interactors_are_read(tmp_path: Path) -> None:
    judge = {"language": "python", "code": "def interact(input, read_line, write_line):\n    return True"}
    given = [{**record, "interactor": judge, "cases": [{"in": "1"}]} for record in records()]
    (tmp_path / "games.jsonl").write_text("\n".join(map(json.dumps, given)))
    seen = look([tmp_path / "games.jsonl"], 300)
    assert seen.kinds == {"interactive": len(given)} and seen.fields["interactor"] == "interactor"


def test_a_statement_in_an_object_of_languages_is_found() -> None:
    texts = [json.dumps({"zh": "读入两个整数。", "en": record["body"]}) for record in records()[:4]]
    given = [{"pid": f"P{n}", "content": text, "cases": [{"in": "1", "out": "2"}]} for n, text in enumerate(texts)]
    assert infer_fields(given)[0]["statement"] == "content.en"


def test_languages_of_solutions_have_one_order(tmp_path: Path) -> None:
    """A set of them had an order of its own in each process."""
    code = dict.fromkeys(("rust", "cpp", "java", "c", "go"), "main")
    (tmp_path / "p.jsonl").write_text(json.dumps({**records()[0], "solutions": code}))
    assert list(look([tmp_path / "p.jsonl"], 300).solution_languages) == sorted(code)
