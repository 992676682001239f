"""Programs in files of their own: notebooks as their code cells, one file, and whose problem a file is for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import InputError
from microcoder_eval.reading.input_files import BadRecord, read_records, read_submissions
from microcoder_eval.reading.notebook import program_of_notebook

pytestmark = pytest.mark.fast


def notebook(*cells: str | list[str], language: str = "python") -> bytes:
    made: list[dict[str, Any]] = [{"cell_type": "markdown", "source": "# print(0)"}]
    made += [{"cell_type": "code", "source": source, "outputs": [{"text": "old"}]} for source in cells]
    return json.dumps({"cells": made, "metadata": {"kernelspec": {"language": language}}, "nbformat": 4}).encode()


@pytest.mark.parametrize(
    ("cells", "code"),
    [
        ([["a = 1\n", "b = 2"], "print(a)"], "a = 1\nb = 2\nprint(a)\n"),
        (["%matplotlib inline\n!pip install x\na = 1"], "pass\npass\na = 1\n"),
        (["if True:\n    !ls\n    print?"], "if True:\n    pass\n    pass\n"),
        (["%%time\na = 1", "%%bash\nls"], "a = 1\n"),
        (['text = """\n%d\n!x\n"""\nb = 7 \\\n% 4'], 'text = """\n%d\n!x\n"""\nb = 7 \\\n% 4\n'),
    ],
    ids=["in-order", "magics", "in-a-block", "cells-of-others", "python-that-looks-like-it"],
)
def test_a_notebook_is_its_code_cells(cells: list[Any], code: str) -> None:
    assert program_of_notebook(notebook(*cells)) == (code, "python")


def test_notebooks_of_other_forms() -> None:
    assert program_of_notebook(notebook("cout << 1;", language="C++")).language == "cpp"
    old = {"worksheets": [{"cells": [{"cell_type": "code", "input": ["a = 1"]}]}], "nbformat": 3}
    assert program_of_notebook(json.dumps(old).encode()).code == "a = 1\n"
    for broken in (b"", b"[]", b"{}", b'{"cells": 3}', b'{"cells": [1, {"cell_type": "markdown"}]}', b"{" * 5000):
        with pytest.raises(InputError, match="not a Jupyter notebook"):
            program_of_notebook(broken)


def submissions(path: Path, *problems: str) -> list[tuple[str, str] | str]:
    return [
        read.why if isinstance(read, BadRecord) else (read.submission.id, read.submission.problem_id)
        for read in read_submissions(path, problems=problems)
    ]


def test_a_file_belongs_to_the_problem_of_its_name_of_its_folder_or_to_the_only_one(tmp_path: Path) -> None:
    folder = tmp_path / "sum"
    folder.mkdir()
    (folder / "anna.py").write_text("print(1)")
    (folder / "ben.ipynb").write_bytes(notebook("print(2)"))
    (folder / "less_2.py").write_text("print(3)")
    (folder / "notes.ipynb").write_text("{}")
    assert submissions(folder, "sum", "less") == [
        ("anna.py", "sum"),
        ("ben.ipynb", "sum"),
        ("less_2.py", "less"),
        "not a Jupyter notebook with code cells",
    ]
    assert submissions(tmp_path, "less")[:2] == [("sum/anna.py", "less"), ("sum/ben.ipynb", "less")]
    assert submissions(folder / "anna.py", "less", "sum") == [("anna.py", "sum")]
    assert submissions(folder / "ben.ipynb", "less") == [("ben.ipynb", "less")]


def test_a_notebook_of_records_is_refused_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_bytes(notebook("print(1)"))
    with pytest.raises(InputError, match="is a Jupyter notebook, which is graded as a submission"):
        next(read_records(tmp_path / "a.ipynb"))
