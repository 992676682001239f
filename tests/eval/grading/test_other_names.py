"""Files as other people write them: any field names, any form of file, ids that are missing, submissions of others."""

from __future__ import annotations

import csv
import json
import shlex
from pathlib import Path
from string import ascii_letters
from typing import Any

import pytest
from click.testing import CliRunner, Result

from microcoder_eval.commands import evaluate
from microcoder_eval.reading.input_files import BadRecord
from microcoder_eval.terminal import show_bad_records

RIGHT = "a, b = map(int, input().split())\nprint(a + b)"
TASKS = [
    {"slug": "sum", "prompt": "Add.", "cases": [{"stdin": "1 2", "expected": 3}, {"stdin": "5 6", "expected": 11}]},
    {"slug": "less", "prompt": "Subtract.", "cases": [{"stdin": "5 3", "expected": 2}]},
]
MAPS = [
    f"--map={pair}"
    for pair in (
        "problems.id=slug",
        "tests=cases",
        "input=stdin",
        "output=expected",
        "problem_id=task",
        "response=text",
    )
]


def grade(tmp_path: Path, problems: Path, submissions: Path, *options: str) -> Result:
    files = ["--problems", str(problems), "--submissions", str(submissions), "--out", str(tmp_path / "out")]
    return CliRunner().invoke(evaluate, ["grade", *files, "--no-cache", "--workers", "1", "--quiet", *options])


def summary(tmp_path: Path) -> dict[str, Any]:
    return json.loads((tmp_path / "out" / "summary.json").read_text())


def records(tmp_path: Path) -> list[dict[str, Any]]:
    lines = (tmp_path / "out" / "grades.jsonl").read_text().splitlines()
    return sorted(map(json.loads, lines), key=lambda record: (record["problem_id"], record["submission_id"]))


def write(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")
    return path


def replies() -> list[dict[str, Any]]:
    return [
        {"task": "sum", "text": f"```python\n{RIGHT}\n```", "model": "a", "temperature": 0.2},
        {"task": "sum", "text": "```python\nprint(3)\n```", "model": "b", "temperature": 0.2},
        {"task": "less", "text": "no program", "model": "b", "temperature": 0.8},
    ]


def test_the_first_command_names_the_options_of_both_files_and_the_second_grades(tmp_path: Path) -> None:
    problems, submissions = write(tmp_path / "t.json", {"tasks": TASKS}), write(tmp_path / "r.json", replies())
    first = grade(tmp_path, problems, submissions)
    assert first.exit_code == 2
    assert "no field `tests`; `cases` looks like it" in first.output
    said = first.output.split("right ones:\n")[1].split()
    options = [f"--map={pair}" for flag, pair in zip(said[::2], said[1::2], strict=True) if flag == "--map"]
    assert {*MAPS} <= {*options}
    second = grade(tmp_path, problems, submissions, *options)
    assert second.exit_code == 0, second.output
    assert [(r["problem_id"], r["submission_id"], r["verdict"]) for r in records(tmp_path)] == [
        ("less", "0", "NO_CODE"),
        ("sum", "0", "ACCEPTED"),
        ("sum", "1", "WRONG_ANSWER"),
    ]
    assert summary(tmp_path)["fields"]["kept"] == {"model": 3, "temperature": 3}
    assert records(tmp_path)[0]["evidence"]["reply"]["text"] == "no program"


@pytest.mark.parametrize("form", ["lines", "array", "object", "csv", "parquet", "chat", "by-problem"])
def test_every_form_of_file_gives_the_same_grades(tmp_path: Path, form: str) -> None:
    problems = write(tmp_path / "t.json", TASKS)
    given, maps = replies(), MAPS
    path = tmp_path / f"r.{form if form in ('csv', 'parquet') else 'json'}"
    if form == "lines":
        path = path.with_suffix(".jsonl")
        path.write_text("".join(json.dumps(each) + "\n" for each in given))
    elif form == "array":
        write(path, given)
    elif form == "object":
        write(path, {"made": "today", "replies": given})
    elif form == "csv":
        with open(path, "w", newline="") as file:
            table = csv.DictWriter(file, given[0].keys())
            table.writeheader()
            table.writerows(given)
    elif form == "parquet":
        pyarrow = pytest.importorskip("pyarrow")
        pytest.importorskip("pyarrow.parquet").write_table(pyarrow.Table.from_pylist(given), path)
    elif form == "chat":
        path = write(path, [{**each, "text": [{"role": "user", "content": "x"}, {"role": "assistant", "content": each["text"]}]} for each in given])  # fmt: skip  # noqa: E501
    else:
        by: dict[str, list[str]] = {}
        for each in given:
            by.setdefault(each["task"], []).append(each["text"])
        write(path, by)
        maps = maps[:4]
    shown = grade(tmp_path, problems, path, *maps)
    assert shown.exit_code == 0, shown.output
    assert sorted(r["verdict"] for r in records(tmp_path)) == ["ACCEPTED", "NO_CODE", "WRONG_ANSWER"]


def _chat_log(task: str, text: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    body = {"object": "chat.completion", "model": "m", "choices": [{"index": 0, "message": message}]}
    return {
        "id": f"batch_{hash(text)}",
        "custom_id": task,
        "response": {"status_code": 200, "body": body},
        "error": None,
    }


@pytest.mark.parametrize(
    ("given", "options"),
    [
        (
            [_chat_log(each["task"], each["text"]) for each in replies()],
            "--map problem_id=custom_id",
        ),
        (
            [
                {"task_id": each["task"], "messages": [{"role": "assistant", "content": each["text"]}]}
                for each in replies()
            ],
            "--map problem_id=task_id --map response=messages",
        ),
        (
            [
                {"qid": each["task"], "request": {"text": "Add."}, "out": {"completion": each["text"]}}
                for each in replies()
            ],
            "--map problem_id=qid --map response=out",
        ),
    ],
    ids=["batch API", "messages", "nested"],
)
def test_logs_of_chats_are_graded_with_the_options_that_are_suggested(
    tmp_path: Path, given: list[dict[str, Any]], options: str
) -> None:
    problems, submissions = write(tmp_path / "t.json", TASKS), write(tmp_path / "r.json", given)
    first = grade(tmp_path, problems, submissions, *MAPS[:4])
    assert first.exit_code == 2 and first.output.strip().endswith(options)
    second = grade(tmp_path, problems, submissions, *MAPS[:4], *options.split())
    assert second.exit_code == 0, second.output
    assert sorted(r["verdict"] for r in records(tmp_path)) == ["ACCEPTED", "NO_CODE", "WRONG_ANSWER"]


def test_a_file_of_another_harness_is_known_by_its_fields(tmp_path: Path) -> None:
    log = [
        {"doc_id": 0, "doc": {"slug": "sum", "text": "Add."}, "resps": [["print(3)"]], "filtered_resps": ["print(3)"]}
    ]
    shown = grade(tmp_path, write(tmp_path / "t.json", TASKS), write(tmp_path / "r.json", log), *MAPS[:4])
    assert shown.exit_code == 2 and "add --from lm-eval" in shown.output
    shown = grade(tmp_path, tmp_path / "r.json", tmp_path / "r.json", "--from=lm-eval")
    assert "--problems takes the benchmark's own file" in shown.output


def test_a_field_that_does_not_tell_problems_apart_is_not_suggested_as_their_id(tmp_path: Path) -> None:
    tasks = [{**task, "title": "the same", "number": number, "slug": None} for number, task in enumerate(TASKS)]
    shown = grade(tmp_path, write(tmp_path / "t.json", tasks), write(tmp_path / "r.json", replies()))
    assert "problems.id=number" in shown.output


def test_bad_records_of_one_cause_are_one_line(tmp_path: Path) -> None:
    problems = [{"id": "sum", "tests": [{"input": "1 2", "output": "3"}]}]
    lines = [{"id": str(n), "problem_id": "sum", "code": 7} for n in range(30)] + [
        {"id": "x", "problem_id": "sum", "code": RIGHT}
    ]
    shown = grade(tmp_path, write(tmp_path / "t.json", problems), write(tmp_path / "r.json", lines))
    assert shown.exit_code == 1
    assert shown.output.count("bad input") == 1 and "(and 29 more like this)" in shown.output
    lines_of_bytes = [json.dumps(lines[-1]).encode(), *(b"x" * n + b"\xff" for n in range(9)), b'{"id": ']
    (tmp_path / "b.jsonl").write_bytes(b"\n".join(lines_of_bytes) + b"\n")
    shown = grade(tmp_path, tmp_path / "t.json", tmp_path / "b.jsonl", "--resume")
    assert [line for line in shown.output.splitlines() if line.startswith("bad input")] == [
        "bad input: b.jsonl:2: not UTF-8 at byte 0 (and 8 more like this)",
        "bad input: b.jsonl:11: not JSON: Expecting value at character 7",
    ]


def test_a_file_without_a_readable_record_is_refused_in_one_line(tmp_path: Path) -> None:
    problems = write(tmp_path / "t.json", [{"id": "sum", "tests": [{"input": "1 2", "output": "3"}]}])
    other = tmp_path / "program.jsonl"
    other.write_bytes(b"\x7fELF\xff\n" * 300)
    for files in ((problems, other), (other, problems)):
        shown = grade(tmp_path, *files)
        said = f"Error: {other}: no record can be read; the first: program.jsonl:1: not UTF-8 at byte 4"
        assert (shown.exit_code, shown.output.strip()) == (2, said)
    assert not (tmp_path / "out").exists()


def test_assertions_in_a_list_are_suggested_as_test_code(tmp_path: Path) -> None:
    tasks = [{"task_id": 1, "text": "Add.", "test_list": ["assert add(1, 2) == 3", "assert add(0, 0) == 0"]}]
    code = [{"problem_id": 1, "code": "def add(a, b):\n    return a + b"}]
    problems, submissions = write(tmp_path / "t.json", tasks), write(tmp_path / "r.json", code)
    first = grade(tmp_path, problems, submissions)
    options = first.output.split("right ones:\n")[1].split()
    assert "test_code=test_list" in options
    assert grade(tmp_path, problems, submissions, *options).exit_code == 0


def test_replies_that_go_on_with_a_head_of_a_function_are_graded_with_the_suggested_options(tmp_path: Path) -> None:
    """HumanEval-X: the prompt is the head, a generation the body; and a list of methods names no entry point."""
    heads = [f'import math\n\n\ndef f{k}(n: int) -> int:\n    """Add {k}."""\n' for k in (1, 2)]
    tests = [f"def check(f{k}):\n    assert f{k}(3) == {3 + k}\ncheck(f{k})\n" for k in (1, 2)]
    pairs = enumerate(zip(heads, tests, strict=True))
    methods = [{"method_name": "f1"}]
    tasks = [{"task_id": f"P/{k}", "prompt": head, "test": test, "methods": methods} for k, (head, test) in pairs]
    bodies = [{"task_id": f"P/{k}", "generation": f"    return n{more}\n"} for k, more in enumerate((" + 1", ""))]
    problems, submissions = write(tmp_path / "t.json", tasks), write(tmp_path / "r.json", bodies)
    said = grade(tmp_path, problems, submissions).output.split("right ones:\n")[1].split()
    assert "starter_code=prompt" in said and not any(word.startswith("entry_point=") for word in said)
    assert grade(tmp_path, problems, submissions, *said).exit_code == 0
    assert [record["verdict"] for record in records(tmp_path)] == ["ACCEPTED", "WRONG_ANSWER"]


def test_a_folder_of_programs_is_matched_by_its_names(tmp_path: Path) -> None:
    folder = tmp_path / "solutions"
    for name, text in {
        "sum.py": RIGHT,
        "sum_second.py": "print(3)",
        "less/model-a.md": "```python\nprint(2)\n```",
        "other.py": "print()",
        "notes.pdf": "",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    shown = grade(tmp_path, write(tmp_path / "t.json", TASKS), folder, *MAPS[:4])
    assert shown.exit_code == 1 and "no problem 'other'" in shown.output
    verdicts = {r["submission_id"]: r["verdict"] for r in records(tmp_path)}
    assert verdicts == {"sum.py": "ACCEPTED", "sum_second.py": "WRONG_ANSWER", "model-a.md": "ACCEPTED"}


def test_a_table_with_a_test_a_line_makes_a_problem_of_the_lines_with_one_id(tmp_path: Path) -> None:
    problems = tmp_path / "t.csv"
    problems.write_text("id,input,output\nsum,1 2,3\nsum,5 6,11\nless,1 1,0\n")
    code = [{"problem_id": "sum", "code": RIGHT}, {"problem_id": "less", "code": "print(0)"}]
    shown = grade(tmp_path, problems, write(tmp_path / "r.json", code), "--all-tests")
    assert shown.exit_code == 0, shown.output
    assert [(r["problem_id"], r["passed"], r["total"]) for r in records(tmp_path)] == [("less", 1, 1), ("sum", 2, 2)]


def test_parallel_lists_of_inputs_and_outputs_and_tests_written_as_text(tmp_path: Path) -> None:
    tasks = [
        {"id": "sum", "input_output": json.dumps({"inputs": ["1 2", "5 6"], "outputs": ["3", "11"]})},
        {"id": "less", "input_output": json.dumps([["1 1", 0]])},
    ]
    code = [{"problem_id": "sum", "code": RIGHT}, {"problem_id": "less", "code": "print(0)"}]
    shown = grade(
        tmp_path, write(tmp_path / "t.json", tasks), write(tmp_path / "r.json", code), "--map=tests=input_output"
    )
    assert shown.exit_code == 0, shown.output
    assert [r["total"] for r in records(tmp_path)] == [1, 2]


def test_values_of_a_function_that_is_not_named_are_no_standard_input(tmp_path: Path) -> None:
    task = {"uid": 7, "spec": "Add.", "shown": [{"args": [1, 2], "result": 3}, {"args": [5, 6], "result": 11}]}
    replies = write(tmp_path / "r.json", [{"uid": 7, "reply": "```python\ndef add(a, b):\n    return a + b\n```"}])
    files = write(tmp_path / "t.json", [task]), replies
    refused = grade(tmp_path, *files)
    assert "--map=tests=shown" in options_said(refused.output), "the only lists of objects"
    assert "if the tests call a function, name it in `entry_point`" in refused.output
    write(tmp_path / "t.json", [{**task, "entry_point": "add"}])
    shown = grade(tmp_path, *files, *options_said(grade(tmp_path, *files).output))
    assert shown.exit_code == 0 and summary(tmp_path)["verdicts"] == {"ACCEPTED": 1}, shown.output


def test_problems_whose_key_has_an_unknown_name_are_found_by_the_names_in_the_submissions(tmp_path: Path) -> None:
    rows = ["kulcs;be;ki", "summe;1 2;3", "summe;5 6;11", "mehr;1 1;0"]
    (tmp_path / "t.csv").write_text("\n".join(rows) + "\n")
    replies = [{"kulcs": "summe", "szoveg": f"```python\n{RIGHT}\n```"}, {"kulcs": "mehr", "szoveg": "weiss nicht"}]
    files = tmp_path / "t.csv", write(tmp_path / "r.json", replies)
    shown = grade(tmp_path, *files)
    assert shown.exit_code == 2
    assert "or where each record is one test --map input=NAME --map output=NAME" in shown.output
    maps = ["--map=input=be", "--map=output=ki", "--map=problem_id=kulcs", "--map=response=szoveg"]
    shown = grade(tmp_path, *files, *maps)
    assert shown.exit_code == 2
    assert "no problem is called 'summe', as r.json says; `kulcs` has such names" in shown.output
    shown = grade(tmp_path, *files, *maps, *options_said(shown.output))
    assert shown.exit_code == 0, shown.output
    assert "1 of 2 accepted" in shown.output


@pytest.mark.parametrize(
    ("fault", "why"),
    [({"time_limit_s": -1}, "time_limit_s"), ({"tests": []}, "no tests"), ({"kind": "zzz"}, "zzz")],
)
@pytest.mark.parametrize("submissions", [1, 2])
def test_problems_that_cannot_be_used_do_not_have_other_names(
    tmp_path: Path, fault: dict[str, Any], why: str, submissions: int
) -> None:
    problem = {"id": "sum", "tests": [{"input": "1 2", "output": "3"}], **fault}
    replies = [{"id": f"s{n}", "problem_id": "sum", "code": RIGHT} for n in range(submissions)]
    shown = grade(tmp_path, write(tmp_path / "t.json", [problem]), write(tmp_path / "r.json", replies))
    assert shown.exit_code in (1, 2), shown.output
    assert why in shown.output
    assert "--map" not in shown.output


def test_problems_with_a_test_program_and_a_nested_id_take_two_commands(tmp_path: Path) -> None:
    """As KodCode writes them: `test_code` without a kind, and the id in an object."""
    tasks: list[dict[str, Any]] = [
        {"text": "Double.", "test_code": f"from solution import f\n\ndef test_f():\n    assert f({n}) == {2 * n}\n",
         "metadata": {"prompt_id": f"{n:04}", "seed": n}}
        for n in range(1, 4)
    ]  # fmt: skip
    replies = [
        {"prompt_id": f"{n:04}", "generation": "```python\ndef f(n):\n    return n + 2\n```"} for n in range(1, 4)
    ]
    files = write(tmp_path / "t.json", tasks), write(tmp_path / "r.json", replies)
    first = grade(tmp_path, *files)
    assert "no problem is called '0001', as r.json says; `metadata.prompt_id` has such names" in first.output
    second = grade(tmp_path, *files, *options_said(first.output))
    assert second.exit_code == 0, second.output
    assert summary(tmp_path)["verdicts"] == {"ACCEPTED": 1, "WRONG_ANSWER": 2}
    named = [{**task, "id": task["metadata"]["prompt_id"]} for task in tasks]
    code = [{"problem_id": each["prompt_id"], "response": each["generation"]} for each in replies]
    files = write(tmp_path / "t.json", named), write(tmp_path / "r.json", code)
    again = grade(tmp_path, *files, "--out", str(tmp_path / "again"))
    assert again.exit_code == 0 and "1 of 3 accepted" in again.output, again.output


def test_a_folder_of_files_with_problems_and_replies_and_a_test_program_as_tests(tmp_path: Path) -> None:
    """As MultiPL-E writes them: a file for each problem, with its tests as text and its completions."""
    (tmp_path / "multi").mkdir()
    for n in range(3):
        tests = f"def check(candidate):\n    assert candidate({n}) == {2 * n}\n\ncheck(double)\n"
        given = {"name": f"Task_{n}", "temperature": 0.2, "tests": tests if n else ["assert double(0) == 0"]}
        given |= {"prompt": "def double(n: int) -> int:\n    'Double.'\n", "language": "py"}
        given["completions"] = ["    return 2 * n", "    return n + 1"]
        write(tmp_path / "multi" / f"Task_{n}.json", given)
    (tmp_path / "multi/README.md").write_text("# Completions of a model")
    files = tmp_path / "multi", tmp_path / "multi"
    first = grade(tmp_path, *files)
    assert first.exit_code == 2, first.output
    second = grade(tmp_path, *files, *options_said(first.output))
    assert second.exit_code == 0, second.output
    assert summary(tmp_path)["verdicts"] == {"ACCEPTED": 4, "WRONG_ANSWER": 2}


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8-sig", "utf-16"])
def test_tables_of_a_german_spreadsheet_take_two_commands(tmp_path: Path, encoding: str) -> None:
    """Semicolons, decimal commas in limits and outputs, German names, and Windows' code page."""
    tasks = [
        ["Nr", "Aufgabe", "Eingabe", "Erwartete Ausgabe", "time_limit_s"],
        ["A1", "Gib die Länge von „Süß – Öl“ aus.", "Süß – Öl", "8", "1,5"],
        ["A1", "Gib die Länge von „Süß – Öl“ aus.", "Äpfel", "5", "1,5"],
        ["A2", "Halbiere die Zahl.", "3", "1,5", "2"],
    ]
    replies = [
        ["Nr", "Modell", "Temperatur", "Antwort"],
        ["A1", "größer-1", "0,7", "print(len(input()))  # zählt"],
        ["A2", "größer-1", "0,7", "Also:\n```python\nprint(int(input()) / 2)\n```"],
    ]
    for name, rows in (("t.csv", tasks), ("r.csv", replies)):
        with (tmp_path / name).open("w", encoding=encoding, newline="") as file:
            csv.writer(file, delimiter=";").writerows(rows)
    files = tmp_path / "t.csv", tmp_path / "r.csv"
    first = grade(tmp_path, *files)
    options = shlex.split(first.output.split("right ones:\n")[1].splitlines()[0])
    second = grade(tmp_path, *files, *options, "--all-tests")
    assert second.exit_code == 0, second.output
    verdicts = {r["problem_id"]: (r["verdict"], r["passed"]) for r in records(tmp_path)}
    assert verdicts == {"A1": ("ACCEPTED", 2), "A2": ("WRONG_ANSWER", 0)}
    assert "expected outputs with a decimal comma: 1, such as 1,5" in second.output
    assert second.output.count("read as Windows-1252") == (2 if encoding == "cp1252" else 0)
    assert "Modell (2), Temperatur (2)" in second.output


@pytest.mark.parametrize("by_model", [True, False])
def test_replies_in_fields_that_are_called_as_the_problems(tmp_path: Path, by_model: bool) -> None:
    tasks = {"sum": [{"input": "1 2", "output": "3"}], "less": [{"input": "1 1", "output": "0"}]}
    replies = {"large": {"sum": RIGHT, "less": "print(0)"}, "small": {"sum": "print(1)", "less": "print(0)"}}
    listed = replies if by_model else [{"model": model, **each} for model, each in replies.items()]
    shown = grade(tmp_path, write(tmp_path / "t.json", tasks), write(tmp_path / "r.json", listed))
    assert shown.exit_code == 0, shown.output
    assert "3 of 4 accepted" in shown.output
    assert by_model or "by model: large 100.0%" in shown.output
    ids = {"large", "small"} if by_model else {"0", "1"}
    assert {(each["problem_id"], each["submission_id"]) for each in records(tmp_path)} == {
        (problem, name) for problem in tasks for name in ids
    }


def test_foreign_and_duplicate_submissions_are_named_once_with_their_counts(tmp_path: Path) -> None:
    lines = [{"id": "a", "problem_id": "sum", "code": RIGHT}] * 3
    lines += [{"id": str(n), "problem_id": f"gone{n % 7}", "code": RIGHT} for n in range(20)]
    problems = [{"id": "sum", "tests": [{"input": "1 2", "output": "3"}], "source": "acme"}]
    shown = grade(tmp_path, write(tmp_path / "t.json", problems), write(tmp_path / "r.json", lines))
    assert shown.exit_code == 1
    assert (
        "20 submissions are for 7 problems that t.json does not have: 'gone0'" in shown.output
        and "...; it has 'sum'" in shown.output
    )
    assert "2 submissions have an id that another one for the same problem has" in shown.output
    assert shown.output.count("bad input") == 2
    assert "not used of problems: source (1)" in shown.output
    assert summary(tmp_path)["left_out"] == {"foreign": 20, "duplicate": 2}


def test_submissions_that_name_no_language_are_in_the_one_that_is_given(tmp_path: Path) -> None:
    problems = write(tmp_path / "p.json", [{"id": "p", "tests": [{"input": "", "output": "1"}]}])
    programs = [{"code": "console.log(1)"}, {"code": "print(1)", "language": "python"}]
    submissions = write(tmp_path / "s.json", programs)
    assert grade(tmp_path, problems, submissions, "--language", "js").exit_code in (0, 1)  # 1: no toolchain here
    assert [record["language"] for record in records(tmp_path)] == ["javascript", "python"]
    refused = grade(tmp_path, problems, submissions, "--language", "klingon")
    assert refused.exit_code == 2
    assert "--language klingon: known are python, " in refused.output + str(refused.exception)


def test_a_budget_stops_a_run_that_resume_ends(tmp_path: Path) -> None:
    problems = write(tmp_path / "t.json", [{"id": "p", "tests": [{"input": "", "output": "1"}], "time_limit_s": 0.5}])
    programs = [*(f"while {n} + 1:\n    pass" for n in range(5)), *(f"print({n})" for n in range(75))]
    submissions = write(tmp_path / "r.json", [{"problem_id": "p", "code": code} for code in programs])
    first = grade(tmp_path, problems, submissions, "--budget", "1")
    assert first.exit_code == 1 and "not graded within the budget; --resume goes on" in first.output
    left = summary(tmp_path)["left_by_budget"]
    assert 0 < left <= 80 and len(records(tmp_path)) == 80 - left  # on a busy machine none may be done in time
    rest = grade(tmp_path, problems, submissions, "--resume")
    assert rest.exit_code == 0 and "5 programs ran out of time" in rest.output
    assert len(records(tmp_path)) == 80
    assert summary(tmp_path)["timed_out"]["programs"] == 5


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("tests", "write FIELD=NAME"),
        ("test=cases", "did you mean 'tests'"),
        ("tasks.id=x", "neither `problems` nor `submissions`"),
    ],
)
def test_a_wrong_map_ends_in_one_line(tmp_path: Path, option: str, said: str) -> None:
    files = write(tmp_path / "t.json", TASKS), write(tmp_path / "r.json", replies())
    shown = grade(tmp_path, *files, f"--map={option}")
    assert shown.exit_code == 2 and said in shown.output and len(shown.output.strip().splitlines()) == 1


def test_a_torn_document_ends_in_one_line(tmp_path: Path) -> None:
    torn = tmp_path / "t.json"
    torn.write_text(json.dumps(TASKS, indent=1)[:-30])
    shown = grade(tmp_path, torn, write(tmp_path / "r.json", replies()))
    assert shown.exit_code == 2 and "t.json: not JSON" in shown.output


def test_the_field_that_holds_the_problems_ids_is_found_whatever_its_name(tmp_path: Path) -> None:
    problems = write(tmp_path / "t.json", TASKS)
    chats = [
        {
            "custom_id": f"request-{number}",
            "exercise": record["task"],
            "messages": [{"role": "user", "content": "?"}, {"role": "assistant", "content": record["text"]}],
        }
        for number, record in enumerate(replies())
    ]
    submissions = write(tmp_path / "r.json", chats)
    first = grade(tmp_path, problems, submissions)
    assert "no field `problem_id`; `exercise` looks like it" in first.output
    options = first.output.split("right ones:\n")[1].split()
    assert grade(tmp_path, problems, submissions, *options).exit_code == 0
    assert summary(tmp_path)["verdicts"] == {"ACCEPTED": 1, "NO_CODE": 1, "WRONG_ANSWER": 1}
    wrong = ["problem_id=custom_id" if option.startswith("problem_id=") else option for option in options]
    refused = grade(tmp_path, problems, submissions, *wrong)
    assert (
        refused.exit_code == 2 and "`problem_id` names no problem of the other file; `exercise` does" in refused.output
    )


def test_a_column_of_languages_is_not_overlooked(tmp_path: Path) -> None:
    problems = write(tmp_path / "t.json", [{"id": "sum", "tests": [{"input": "1 2", "output": "3"}]}])
    table = tmp_path / "r.csv"
    table.write_text('problem_id,code,lang\nsum,print(3),Python 3\nsum,main(){puts("3");},GNU C11\n')
    first = grade(tmp_path, problems, table)
    assert first.exit_code == 2 and "no field `language`; `lang` looks like it" in first.output
    assert "--map language=lang" in first.output
    table.write_text("problem_id,code,lang\nsum,print(3),Python 3\n")
    assert grade(tmp_path, problems, table).exit_code == 0, "all are Python, as without the column"


def test_a_table_of_tests_names_its_statement_and_counts_no_used_column_as_unused(tmp_path: Path) -> None:
    problems = tmp_path / "t.csv"
    problems.write_text("pid,text,stdin,answer,owner\nsum,Add.,1 2,3,ann\nsum,Add.,5 6,11,ann\n")
    submissions = write(tmp_path / "r.json", [{"problem_id": "sum", "code": RIGHT}])
    said = grade(tmp_path, problems, submissions).output.split("right ones:\n")[1].split()
    assert "statement=text" in said
    shown = grade(tmp_path, problems, submissions, *said)
    assert shown.exit_code == 0, shown.output
    assert summary(tmp_path)["fields"]["ignored"] == {"owner": 2}


def options_said(output: str) -> list[str]:
    said = output.split("right ones:\n")[1].splitlines()[0].split()
    return [f"--map={pair}" for flag, pair in zip(said[::2], said[1::2], strict=True) if flag == "--map"]


def test_fields_of_tests_in_parts_and_programs_in_a_list_take_two_commands(tmp_path: Path) -> None:
    """As CodeContests and LiveCodeBench write them: samples apart from the secret tests, several programs a problem."""
    problem = {
        "question_id": "sum",
        "question_content": "Add.",
        "public_tests": {"input": ["1 2"], "output": ["3"]},
        "private_tests": {"input": ["3 4", "5 5"], "output": ["7", "10"]},
        "cf_tests": None,
    }
    replies = {"all": [{"question_id": "sum", "code_list": [RIGHT, "print(3)"]}]}
    files = write(tmp_path / "t.json", [problem]), write(tmp_path / "r.json", replies)
    first = grade(tmp_path, *files)
    assert first.exit_code == 2 and "--map code=code_list" in first.output
    second = grade(tmp_path, *files, "--all-tests", *options_said(first.output))
    assert second.exit_code == 0, second.output
    assert sorted((r["verdict"], r["total"]) for r in records(tmp_path)) == [
        ("ACCEPTED", 3),
        ("WRONG_ANSWER", 3),
    ]


def test_a_reply_in_a_field_of_unknown_name_is_known_by_its_fenced_code(tmp_path: Path) -> None:
    files = (
        write(tmp_path / "t.json", TASKS),
        write(tmp_path / "r.json", [{"task": "sum", "note": "Add.", "candidate": f"```python\n{RIGHT}\n```"}]),
    )
    assert "--map=response=candidate" in options_said(grade(tmp_path, *files).output)


def test_an_empty_cell_is_an_empty_reply_and_an_empty_input(tmp_path: Path) -> None:
    problems, replies = tmp_path / "t.csv", tmp_path / "r.csv"
    problems.write_text('id,input,output,difficulty\nthree,,3,\nthree,"1 2",3,\n')
    replies.write_text("problem_id,response,language\nthree,print(3),\nthree,,\n")
    shown = grade(tmp_path, problems, replies)
    assert shown.exit_code == 0, shown.output
    assert [(r["verdict"], r["total"]) for r in records(tmp_path)] == [("ACCEPTED", 2), ("NO_CODE", 2)]


def test_a_benchmarks_own_file_is_named_with_the_command_that_grades_it(tmp_path: Path) -> None:
    task = {
        "task_id": "HumanEval/0",
        "prompt": "def one():\n",
        "entry_point": "one",
        "canonical_solution": "    return 1\n",
        "test": "def check(candidate):\n    assert candidate() == 1\n",
    }
    problems, samples = tmp_path / "he.jsonl", tmp_path / "s.jsonl"
    problems.write_text(json.dumps(task) + "\n")
    samples.write_text(json.dumps({"task_id": "HumanEval/0", "completion": "    return 1\n"}) + "\n")
    said = grade(tmp_path, problems, samples)
    assert said.exit_code == 2
    command = said.output.rstrip().splitlines()[-1].split()
    assert command[:3] == ["microcoder", "eval", "humaneval"]
    second = CliRunner().invoke(evaluate, [*command[2:], "--no-cache", "--workers", "1", "--quiet"])
    assert second.exit_code == 0, second.output
    assert [r["verdict"] for r in records(tmp_path)] == ["ACCEPTED"]


def test_ids_and_tests_are_known_by_the_end_of_their_names_and_by_their_values(tmp_path: Path) -> None:
    """Such as xCodeEval: `src_uid`, parallel `sample_inputs`, and an `input_from` that is no test."""
    tasks = [
        {"input_from": "standard input", "output_to": "standard output", "sample_inputs": [f"{n} 1", f"{n} 2"],
         "sample_outputs": [str(n + 1), str(n + 2)], "src_uid": f"{n:08x}"}
        for n in range(30)
    ]  # fmt: skip
    given = [{"no_of_try": 1, "ref": task["src_uid"], "responses": [f"```python\n{RIGHT}\n```"]} for task in tasks]
    problems, submissions = write(tmp_path / "t.json", tasks), write(tmp_path / "r.json", given)
    said = grade(tmp_path, problems, submissions).output.split("right ones:\n")[1].split()
    assert {*said[1::2]} == {
        "problems.id=src_uid",
        "input=sample_inputs",
        "output=sample_outputs",
        "problem_id=ref",
        "response=responses",
    }
    second = grade(tmp_path, problems, submissions, *(f"--map={pair}" for pair in said[1::2]))
    assert second.exit_code == 0 and summary(tmp_path)["accepted"] == 30 and summary(tmp_path)["tests_run"] == 60


def test_the_id_of_a_submission_is_not_taken_for_its_problem(tmp_path: Path) -> None:
    """The problem of these replies cannot be used, and their own numbers are ids of another problem."""
    good = {"id": "1", "tests": [{"input": "1 2", "output": "3"}]}
    problems = write(tmp_path / "t.json", [good, {"id": "sum", "tests": []}])
    submissions = write(tmp_path / "r.json", [{"id": "1", "problem_id": "sum", "code": "print(3)"}])
    shown = grade(tmp_path, problems, submissions)
    assert "problem_id=id" not in shown.output and "t.json" in shown.output


def test_swapped_files_are_said_to_be_swapped(tmp_path: Path) -> None:
    problems = write(tmp_path / "t.json", [{"id": "sum", "tests": [{"input": "1 2", "output": "3"}]}])
    submissions = write(tmp_path / "r.json", [{"id": "a", "problem_id": "sum", "code": "print(3)"}])
    shown = grade(tmp_path, submissions, problems)
    assert shown.exit_code == 2 and "t.json holds problems: are --problems and --submissions swapped?" in shown.output
    assert len(shown.output.strip().splitlines()) == 1


def test_problems_in_the_place_of_submissions_are_told(tmp_path: Path) -> None:
    """A text of a test or a checker is not suggested as the reply."""
    checker = {"kind": "python", "code": "def check(input, expected, actual):\n    return True"}
    problems = [{"id": "sum", "tests": [{"input": "1 2", "output": "3"}], "checker": checker}]
    file = write(tmp_path / "problems.json", problems)
    shown = grade(tmp_path, file, file)
    assert shown.exit_code == 2
    assert shown.output == f"Error: {file} holds problems, and no submissions to them\n"


def test_a_count_of_one_stands_beside_a_singular(tmp_path: Path) -> None:
    checker = {"kind": "python", "code": "def check(input, expected, actual):\n    return int(expected) == int(actual)"}
    problems = write(tmp_path / "p.json", [{"id": "sum", "tests": [{"input": "", "output": "3"}], "checker": checker}])
    program = {"id": "s", "problem_id": "sum", "code": "print('three')"}
    shown = grade(tmp_path, problems, write(tmp_path / "s.json", [program]))
    assert "1 submission wrong because a checker" in shown.output


def test_of_bad_records_one_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    show_bad_records([BadRecord(f"p.json:{n}", f"kind {letter}") for n, letter in enumerate(ascii_letters[:21])])
    assert "... and 1 more bad record (summary.json has all)" in capsys.readouterr().err
