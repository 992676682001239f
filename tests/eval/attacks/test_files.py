# ruff: noqa: E501 - a file's content on the line that names it
"""Files that somebody else has made: problems, submissions, other harnesses' files, folders of programs.

Whatever they hold, a reader gives records, bad records with a reason, or an `InputError`; it does not hang, follow a
link to your files, or unpack more than fits into memory.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import InputError
from microcoder_eval.arguments import long_integers
from microcoder_eval.plain_files import LONGEST
from microcoder_eval.reading import inspect_log, record_files
from microcoder_eval.reading.field_map import FieldMap
from microcoder_eval.reading.harness_files import READERS, read_harness
from microcoder_eval.reading.input_files import (
    BadRecord,
    ProblemFile,
    ReadSubmission,
    read_problem,
    read_submissions,
)

PROBLEMS = [{"id": name, "tests": [{"input": "1", "output": "1"}]} for name in ("sum", "other")]
NAMES = (
    FieldMap(),
    FieldMap.parse(["tests=cases", "input=a.b.0", "output=c", "test_code=t", "entry_point=e"]),
    FieldMap.parse(["response=x.0.y", "problem_id=p", "code=c", "submissions.id=id.0"]),
)


def nested(levels: int) -> str:
    return "[" * levels + "]" * levels


CONTENTS: dict[str, bytes] = {
    "nothing": b"",
    "nul": b"\0" * 100,
    "a-mark-alone": b"\xef\xbb\xbf",
    "utf-16": '[{"id": 1}]'.encode("utf-16"),
    "latin-1": b'{"id": "\xff"}',
    "one-bracket": b"[",
    "brackets": nested(100_000).encode(),
    "control-characters": b"\x1b[2J\x1b]0;x\x07\n",
    "a-page": b"<html><script>alert(1)</script>" * 100,
    "numbers": b"5\n6\n",
    "not-a-number": b'{"id": NaN, "tests": [{"input": NaN, "output": Infinity}], "problem_id": NaN, "code": NaN}',
    "many-kinds": b'[5, [6], null, {"id": {}}, "a"]',
    "texts": b'["a", "b"]',
    "objects-in-objects": b'{"a": {"b": {"c": 1}}, "d": {"e": 2}}',
    "long-integers": b'{"id": ' + b"9" * 5000 + b', "problem_id": ' + b"9" * 99_999 + b', "code": "x", "tests": [{"input": "1", "output": "1"}]}',
    "too-long-integer": b'{"id": ' + b"9" * 200_000 + b"}\n",
    "half-characters": b'{"id": "\\ud800", "problem_id": "\\ud800", "tests": [{"input": "\\ud800", "output": "\\udfff"}], "code": "\\ud800"}\n',
    **{
        f"lists-{levels}-deep": json.dumps(dict.fromkeys(("response", "resps", "generation", "tests", "cases", "x"), 0) | {"id": "sum", "problem_id": "sum"}).replace("0", nested(levels)).encode() + b"\n"
        for levels in (150, 320, 480, 900, 980)
    },
    "objects-900-deep": b'{"id": "sum", "tests": ' + b'{"a":' * 900 + b"1" + b"}" * 901,
    "opencompass": b'{"0": {"prediction": [[[["x"]]], {"a": 1}, 5, null], "gold": {"id": [1]}}, "1": {"prediction": ' + nested(900).encode() + b', "gold": [[1]]}}',
    "lighteval": b'{"doc": {"specific": {"id": {"a": 1}}, "id": "' + b"9" * 100 + b'"}, "model_response": {"text": ' + nested(900).encode() + b"}}\n",
    "evalscope": b'{"index": 99999999999, "model_output": {"choices": [1, null, {"message": {"content": [{"text": {"a": 1}}, 5]}}, {"message": 5}, [[]]]}, "metadata": {"id": true}}\n',
    "inspect": b'{"samples": [1, null, {"id": [1], "metadata": {"problem": 5}, "output": {"choices": [[]], "completion": {}}}, {"id": "sum", "output": {"choices": [{"message": {"content": ' + nested(900).encode() + b"}}]}}]}",
    "bigcode": b'[["a", 5, null, {"x": 1}], 5, [[["a"]]], ["x"]]',
    "tests-in-a-text": b'{"id": "a", "cases": "[[1,", "kind": "call", "entry_point": "f"}\n{"id": "b", "cases": "' + nested(50_000).encode() + b'"}\n{"id": "c", "cases": {"inputs": [1], "outputs": [1, 2]}, "t": [1, {"a": 2}], "e": 5}\n',
    "quotes": b'a,b\n"' + b'x,"' * 10_000,
    "many-columns": b"a," * 20_000 + b"\n" + b"1," * 30_000,
    "one-name-twice": b"id,id,id\n1,2,3\n",
}  # fmt: skip
ENDINGS = (".jsonl", ".json", ".csv", ".tsv", ".parquet", ".eval", ".json.gz", ".csv.gz")


@pytest.fixture
def problems(tmp_path: Path) -> ProblemFile:
    path = tmp_path / "known.jsonl"
    path.write_text("".join(json.dumps(problem) + "\n" for problem in PROBLEMS))
    return ProblemFile(path)


def read_all(path: Path, problems: ProblemFile) -> None:
    """Read a file in every way in which a command reads one."""
    tries: list[Callable[[], Any]] = [lambda: read_problem(path, None)]
    for names in NAMES:
        tries.append(lambda names=names: [ProblemFile(path, names)[name] for name in ProblemFile(path, names)])
        tries.append(lambda names=names: list(read_submissions(path, names, list(problems))))
    tries += [lambda harness=harness: list(read_harness(harness, path, problems)) for harness in READERS]
    for one in tries:
        try:
            with long_integers():  # as commands do
                found = one()
        except InputError as error:
            str(error).encode("utf-8", "surrogatepass")
            continue
        for record in found if isinstance(found, list) else []:
            assert not isinstance(record, BadRecord) or record.why


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", CONTENTS)
def test_any_content_under_any_name(tmp_path: Path, problems: ProblemFile, name: str, ending: str) -> None:
    path = tmp_path / f"file{ending}"
    path.write_bytes(CONTENTS[name])
    read_all(path, problems)


@pytest.mark.parametrize("ending", [".jsonl.gz", ".json.gz", ".csv.gz"])
@pytest.mark.parametrize("harm", ["whole", "cut", "changed"])
def test_an_archive_that_is_damaged(tmp_path: Path, problems: ProblemFile, ending: str, harm: str) -> None:
    for name in ("many-kinds", "lists-480-deep", "one-name-twice", "opencompass"):
        packed = gzip.compress(CONTENTS[name])
        middle = len(packed) // 2
        changed = packed[:middle] + bytes([packed[middle] ^ 0xFF]) + packed[middle + 1 :]
        path = tmp_path / f"file{ending}"
        path.write_bytes({"whole": packed, "cut": packed[:middle], "changed": changed}[harm])
        read_all(path, problems)


def zipped(**files: bytes) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(f"samples/{name}.json", data)
    return content.getvalue()


def test_a_log_with_any_byte_changed(tmp_path: Path, problems: ProblemFile) -> None:
    whole = zipped(a=b'{"id": "sum", "output": {"completion": "x"}}', b=b"5")
    path = tmp_path / "log.eval"
    for place in range(len(whole)):
        for byte in (0, 0xFF, whole[place] ^ 1, whole[place] ^ 0x40):
            path.write_bytes(whole[:place] + bytes([byte]) + whole[place + 1 :])
            try:
                list(read_harness("inspect", path, problems))
            except InputError as error:
                assert "log.eval" in str(error)


def test_what_unpacks_without_end_is_not_unpacked(
    tmp_path: Path, problems: ProblemFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert inspect_log.LONGEST_SAMPLE <= LONGEST
    monkeypatch.setattr(inspect_log, "LONGEST_SAMPLE", 1000)
    monkeypatch.setattr(record_files, "LONGEST", 1000)
    log = tmp_path / "log.eval"
    log.write_bytes(zipped(a=b" " * 2000))
    (read,) = read_harness("inspect", log, problems)
    assert isinstance(read, BadRecord)
    assert "larger than" in str(read)
    lines, table = tmp_path / "s.jsonl.gz", tmp_path / "s.csv.gz"
    endless, known = b'{"id": "' + b"x" * 5000, list(problems)
    lines.write_bytes(gzip.compress(b'{"id": "a", "problem_id": "%s", "code": "x"}\n' % known[0].encode() + endless))
    assert [type(one) for one in read_submissions(lines, problems=known)] == [ReadSubmission, BadRecord]
    lines.write_bytes(gzip.compress(endless))
    with pytest.raises(InputError, match="a line of more than"):
        list(read_submissions(lines, problems=known))
    table.write_bytes(gzip.compress(b"id,code\n" + b"1,x\n" * 1000))
    with pytest.raises(InputError, match="larger than"):
        list(read_submissions(table))


def test_parquet_that_claims_very_much_is_read_a_few_rows_at_a_time(tmp_path: Path, problems: ProblemFile) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = 3_000_000
    same = pyarrow.DictionaryArray.from_arrays(
        pyarrow.array([0] * rows, pyarrow.int32()), pyarrow.array(["x" * 20_000])
    )
    path = tmp_path / "s.parquet"
    parquet.write_table(pyarrow.table({"code": same}), path)
    assert path.stat().st_size < 1_000_000  # the texts are 60 GB
    found = iter(read_submissions(path, problems=["sum"]))
    assert isinstance(next(found), ReadSubmission)


def test_parquet_with_any_part_changed(tmp_path: Path, problems: ProblemFile) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "s.parquet"
    parquet.write_table(pyarrow.table({"id": ["a", "b"], "code": ["x", "y"], "problem_id": ["sum", "sum"]}), path)
    whole = path.read_bytes()
    for place in range(4, len(whole), 7):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        try:
            for _ in read_submissions(path, problems=["sum"]):
                pass
        except InputError as error:
            assert "s.parquet" in str(error)


@pytest.mark.parametrize("ending", ["", *ENDINGS])
def test_a_pipe_is_not_waited_for(tmp_path: Path, problems: ProblemFile, ending: str) -> None:
    path = tmp_path / f"pipe{ending}"
    os.mkfifo(path)
    read_all(path, problems)
    inside = tmp_path / "inside"
    inside.mkdir()
    os.mkfifo(inside / f"pipe{ending}")
    read_all(inside, problems)


def test_a_folder_of_programs_shows_no_file_outside_itself(tmp_path: Path) -> None:
    secret = tmp_path / "secret.py"
    secret.write_text("SECRET = 1")
    folder = tmp_path / "programs"
    (folder / "below").mkdir(parents=True)
    (folder / "sum.py").write_text("print(1)")
    (folder / "below/link.py").symlink_to("../sum.py")
    (folder / "out.py").symlink_to(secret)
    (folder / "up.py").symlink_to("../secret.py")
    (folder / "device.py").symlink_to("/dev/zero")
    (folder / "itself.py").symlink_to("itself.py")
    (folder / "nothing.py").symlink_to("nowhere")
    (folder / "all").symlink_to(tmp_path)
    (folder / "directory.py").mkdir()
    os.mkfifo(folder / "pipe.py")
    with open(folder / "large.py", "wb") as file:
        file.truncate(1 << 40)
    found = list(read_submissions(folder, problems=["sum"]))
    codes = {one.submission.id: one.submission.code for one in found if isinstance(one, ReadSubmission)}
    assert codes == {"sum.py": "print(1)", "below/link.py": "print(1)"}
    assert [one.place for one in found if isinstance(one, BadRecord)] == ["large.py", "out.py", "up.py"]


def test_a_folder_with_hostile_names(tmp_path: Path) -> None:
    folder = tmp_path / "programs"
    folder.mkdir()
    names = [b"\xff\xfe.py", b"\x1b[2J.py", b"a\nb.py", b"<img src=x onerror=alert(1)>.py", b"$(touch x).py", b"-rf.py"]
    for name in names:
        with open(os.path.join(os.fsencode(folder), name), "w") as file:
            file.write("print(1)")
    found = [one for one in read_submissions(folder, problems=["sum"]) if isinstance(one, ReadSubmission)]
    assert sorted(os.fsencode(one.submission.id) for one in found) == sorted(names)
