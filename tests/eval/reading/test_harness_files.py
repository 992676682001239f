"""Other harnesses' files: joined to problems by name, and every record that cannot be used listed with a reason."""

from __future__ import annotations

import json
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pytest

from microcoder_eval import InputError
from microcoder_eval.commands import HARNESSES
from microcoder_eval.reading.harness_files import READERS, read_harness
from microcoder_eval.reading.input_files import BadRecord, ProblemFile, ReadSubmission
from tests.eval.command import GRADE, PROBLEM, RIGHT, microcoder, write

OTHER = {**PROBLEM, "id": "Set/1"}
REPLY = f"```python\n{RIGHT}\n```"


@pytest.fixture
def problems(tmp_path: Path) -> ProblemFile:
    return ProblemFile(write(tmp_path / "p.jsonl", [PROBLEM, OTHER]))


def read(harness: str, path: Path, problems: ProblemFile) -> tuple[list[tuple[str, str]], list[str]]:
    """The programs and replies by problem, and why others were left out."""
    found = list(read_harness(harness, path, problems))
    taken = [one.submission for one in found if isinstance(one, ReadSubmission)]
    assert len({one.id for one in taken}) == len(taken)
    return [(one.problem_id, one.code or one.response or "") for one in taken], [
        one.why for one in found if isinstance(one, BadRecord)
    ]


def test_the_command_offers_what_is_read() -> None:
    assert set(HARNESSES) == set(READERS)


def test_lm_eval(tmp_path: Path, problems: ProblemFile) -> None:
    records: list[Any] = [
        {"doc_id": 0, "doc": {"task_id": "sum"}, "resps": [["raw"]], "filtered_resps": [[REPLY, "second"]]},
        {"doc_id": 1, "doc": {"task_id": "Set/1"}, "resps": [["only"]], "filtered_resps": []},
        {"doc_id": 2, "doc": {"task_id": "none"}, "resps": [["x"]]},
        {"doc_id": 3, "doc": {"text": "x"}, "resps": [["x"]]},
        {"doc_id": 4, "doc": {"task_id": "sum"}, "resps": []},
        {"doc_id": 5, "doc": 5, "task_id": "sum", "resps": [[7]]},
        "{",
    ]
    taken, left_out = read("lm-eval", write(tmp_path / "samples.jsonl", records), problems)
    assert taken == [("sum", REPLY), ("sum", "second"), ("Set/1", "only")]
    assert [why.split(":")[0][:24] for why in left_out] == [
        "no problem is called 'no",
        "names no problem (proble",
        "has no reply of a model",
        "a reply is a text, found",
        "not JSON",
    ]


def test_lm_eval_writes_every_reply_once_for_each_filter(tmp_path: Path, problems: ProblemFile) -> None:
    records = [
        {"doc_id": number, "doc": {"task_id": name}, "filter": used, "filtered_resps": [[f"{used} {name}"]]}
        for used in ("first", "second")
        for number, name in enumerate(("sum", "Set/1"))
    ]
    taken, left_out = read("lm-eval", write(tmp_path / "samples.jsonl", records), problems)
    assert taken == [("sum", "first sum"), ("Set/1", "first Set/1")]
    assert left_out == ["the same replies through filter 'second'; 'first' is used"] * 2


def test_bigcode(tmp_path: Path, problems: ProblemFile) -> None:
    file = tmp_path / "generations.json"
    file.write_text(json.dumps([[RIGHT, "print(1)"], 5, ["x"]]))
    taken, left_out = read("bigcode", file, problems)
    assert taken == [("sum", RIGHT), ("sum", "print(1)")]
    assert left_out == [
        "a list of programs expected, found 5",
        "there are 2 problems only, and entries are joined by their order",
    ]
    for wrong in ("{", "{}", "[" * 100_000):
        file.write_text(wrong)
        with pytest.raises(InputError):
            read("bigcode", file, problems)


def test_bigcodebench_and_nemo_skills(tmp_path: Path, problems: ProblemFile) -> None:
    records = [{"task_id": "Set/1", "solution": RIGHT}, {"task_id": "sum", "completion": REPLY}, {"task_id": "sum"}]
    taken, left_out = read("bigcodebench", write(tmp_path / "samples.jsonl", records), problems)
    assert taken == [("Set/1", RIGHT), ("sum", REPLY)]
    assert left_out == ["has no reply of a model"]
    records = [{"problem_id": "sum", "generation": REPLY}, {"id": "x", "name": "Set/1", "generation": "a"}]
    taken, left_out = read("nemo-skills", write(tmp_path / "output.jsonl", records), problems)
    assert (taken, left_out) == ([("sum", REPLY), ("Set/1", "a")], [])


def sample(name: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"id": name, "epoch": 1, "output": {"choices": [{"message": {"content": content}}]}, **more}


def test_inspect(tmp_path: Path, problems: ProblemFile) -> None:
    parts = [{"type": "reasoning", "reasoning": "x"}, {"type": "text", "text": REPLY}]
    samples = [sample("sum", REPLY), sample("9", parts, metadata={"problem": {"id": "Set/1"}}), sample("sum", None), 5]
    as_json = tmp_path / "log.json"
    as_json.write_text(json.dumps({"samples": samples}))
    archive = tmp_path / "log.eval"
    with zipfile.ZipFile(archive, "w") as opened:
        opened.writestr("header.json", "{}")
        for number, one in enumerate(samples):
            opened.writestr(f"samples/{number}_epoch_1.json", json.dumps(one))
    for file in (as_json, archive):
        taken, left_out = read("inspect", file, problems)
        assert taken == [("sum", REPLY), ("Set/1", REPLY)]
        assert len(left_out) == 2
    archive.write_bytes(archive.read_bytes()[:200])
    with pytest.raises(InputError):
        read("inspect", archive, problems)


def test_a_sample_of_inspect_that_cannot_be_read_leaves_the_others(tmp_path: Path, problems: ProblemFile) -> None:
    archive = tmp_path / "log.eval"
    bad = {"b": b"{", "c": b"[" * 100_000, "d": b"\xff", "e": b"damaged", "f": b'"text"'}
    with zipfile.ZipFile(archive, "w") as opened:
        for name in ("a", *bad, "g"):
            opened.writestr(f"samples/{name}.json", bad.get(name, json.dumps(sample("sum", REPLY))))
    archive.write_bytes(archive.read_bytes().replace(b"damaged", b"DAMAGED", 1))
    taken, left_out = read("inspect", archive, problems)
    assert taken == [("sum", REPLY)] * 2
    assert len(left_out) == len(bad)


def test_inspect_names_a_problem_in_json(tmp_path: Path, problems: ProblemFile) -> None:
    named = json.dumps({"id": "sum", "tests": []})
    samples = [sample("1", REPLY, target=named), sample("2", REPLY, metadata={"problem": named})]
    samples += [sample("3", REPLY, target=target) for target in ("{", "[]", "sum", ["sum"])]
    (tmp_path / "log.json").write_text(json.dumps({"samples": samples}))
    taken, left_out = read("inspect", tmp_path / "log.json", problems)
    assert (taken, len(left_out)) == ([("sum", REPLY)] * 2, 4)


def zstandard_archive(path: Path, files: dict[str, bytes]) -> None:
    """A zip archive as Inspect writes it: every file in frames of Zstandard."""
    zstandard = pytest.importorskip("zstandard", reason="needs the extra data")
    body, directory = b"", b""
    for name, content in files.items():
        packed = b"".join(zstandard.ZstdCompressor().compress(half) for half in (content[:20], content[20:]))
        sizes = struct.pack("<LLL", zlib.crc32(content), len(packed), len(content))
        shared = struct.pack("<HHHHH", 20, 0, 93, 0, 0x21) + sizes + struct.pack("<HH", len(name), 0)
        directory += b"PK\1\2" + struct.pack("<H", 20) + shared + struct.pack("<HHHLL", 0, 0, 0, 0, len(body))
        directory += name.encode()
        body += b"PK\3\4" + shared + name.encode() + packed
    end = struct.pack("<HHHHLLH", 0, 0, len(files), len(files), len(directory), len(body), 0)
    path.write_bytes(body + directory + b"PK\5\6" + end)


def test_inspect_compresses_with_zstandard(tmp_path: Path, problems: ProblemFile) -> None:
    archive = tmp_path / "log.eval"
    content = json.dumps(sample("sum", REPLY)).encode()
    zstandard_archive(archive, {"header.json": b"{}", "samples/1_epoch_1.json": content})
    assert read("inspect", archive, problems) == ([("sum", REPLY)], [])
    whole = archive.read_bytes()
    for place in range(60, len(whole) - 120, 7):  # whatever is damaged, it is an error and no other reply
        archive.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        try:
            assert read("inspect", archive, problems)[0] in ([("sum", REPLY)], [])
        except InputError:
            pass


def test_other_ways_to_pack_are_refused(tmp_path: Path, problems: ProblemFile) -> None:
    content = json.dumps(sample("sum", REPLY))
    with zipfile.ZipFile(tmp_path / "log.eval", "w") as archive:
        archive.writestr("samples/1.json", content, zipfile.ZIP_DEFLATED)
        archive.writestr("samples/2.json", content + " " * (1 << 20), zipfile.ZIP_BZIP2)
        archive.writestr("samples/3.json", content + " " * (1 << 20), zipfile.ZIP_LZMA)
    taken, left_out = read("inspect", tmp_path / "log.eval", problems)
    assert (taken, len(left_out)) == ([("sum", REPLY)], 2)


def lighteval_details(path: Path, replies: list[list[str]], ids: list[str], names: list[str | None], mark: str) -> Path:
    """As `EvaluationTracker.save` writes them: a column each for `Detail`'s doc, metric and model_response."""
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs the extra data")
    from pyarrow import Table

    rows = [
        {
            f"{mark}doc{mark}": {
                "query": "q",
                "choices": [""],
                "gold_index": [0],
                "task_name": "lcb",
                "id": number,
                "specific": {"task_id": name, "fn_name": None},
            },
            f"{mark}metric{mark}": {"codegen_pass@1": 0.0},
            f"{mark}model_response{mark}": {"input": "q", "text": texts, "output_tokens": [[1]], "reasonings": [None]},
        }
        for texts, number, name in zip(replies, ids, names, strict=True)
    ]
    parquet.write_table(Table.from_pylist(rows), path)
    return path


@pytest.mark.parametrize("mark", ["", "__"])
def test_lighteval(tmp_path: Path, problems: ProblemFile, mark: str) -> None:
    file = tmp_path / "details_lcb_2026-01-01T00-00-00.parquet"
    by_number = lighteval_details(file, [[REPLY, "b"], ["c"]], ["0", "1"], [None, None], mark)
    assert read("lighteval", by_number, problems) == ([("sum", REPLY), ("sum", "b"), ("Set/1", "c")], [])
    by_name = lighteval_details(file, [["a"], []], ["7", "8"], ["Set/1", "sum"], mark)
    assert read("lighteval", by_name, problems) == ([("Set/1", "a")], ["has no reply of a model"])
    part = lighteval_details(file, [["a"], ["b"]], ["0", "5"], [None, "none"], mark)
    taken, left_out = read("lighteval", part, problems)
    assert not taken and all("names no problem" in why for why in left_out) and len(left_out) == 2


def evalscope_record(index: Any, *contents: Any, **metadata: Any) -> dict[str, Any]:
    """As `ModelResult.model_dump` gives it."""
    choices = [
        {"message": {"role": "assistant", "content": content}, "stop_reason": "stop", "logprobs": None}
        for content in contents
    ]
    output = {"model": "m", "choices": choices, "usage": None, "time": 1.0, "metadata": None, "error": None}
    return {"index": index, "model": "m", "model_output": output, "messages": [], "metadata": metadata}


def test_evalscope(tmp_path: Path, problems: ProblemFile) -> None:
    parts = [{"type": "reasoning", "reasoning": "x"}, {"type": "text", "text": "b"}]
    file = tmp_path / "humaneval_default.jsonl"
    write(file, [evalscope_record(1, REPLY, parts), evalscope_record(0, "a"), evalscope_record(9, "c", task_id="sum")])
    taken, left_out = read("evalscope", file, problems)
    assert taken == [("sum", "c")] and len(left_out) == 2  # nine of how many? the order is not known
    write(file, [evalscope_record(1, REPLY, parts), evalscope_record(0, "a"), evalscope_record("x", "d"), "{"])
    taken, left_out = read("evalscope", file, problems)
    assert taken == [("Set/1", REPLY), ("Set/1", "b"), ("sum", "a")] and len(left_out) == 2
    write(file, [{"index": 0, "model_output": None}, {"index": 1, "model_output": {"choices": [5]}}])
    assert read("evalscope", file, problems) == ([], ["has no reply of a model"] * 2)


def test_opencompass(tmp_path: Path, problems: ProblemFile) -> None:
    """As `GenInferencerOutputHandler.save_results` writes them."""
    file = tmp_path / "openai_humaneval.json"
    prompt = [{"role": "HUMAN", "prompt": "q"}]
    named = {
        "0": {"origin_prompt": prompt, "prediction": REPLY, "gold": "Set/1"},
        "1": {"prediction": "b", "gold": "x"},
    }
    file.write_text(json.dumps(named))
    assert read("opencompass", file, problems) == ([("Set/1", REPLY)], ["no problem is called 'x'"])
    file.write_text(json.dumps({"0": {"prediction": ["a", "b"]}, "1": {"prediction": None}, "x": 5}))
    taken, left_out = read("opencompass", file, problems)
    assert taken == [("sum", "a"), ("sum", "b")]
    assert left_out == ["a prediction is an object, found 5", "has no reply of a model"]
    file.write_text(json.dumps({"0": {"prediction": "a"}}))  # a part of the run: which problem is not known
    assert read("opencompass", file, problems)[0] == []
    for wrong in ("[]", "{", "5"):
        file.write_text(wrong)
        with pytest.raises(InputError):
            read("opencompass", file, problems)


def test_a_file_is_graded_and_what_was_left_out_is_said(tmp_path: Path) -> None:
    write(tmp_path / "p.jsonl", [PROBLEM])
    records = [{"task_id": "sum", "solution": RIGHT}, {"task_id": "sum", "solution": "print(3)"}, {"task_id": "other"}]
    write(tmp_path / "s.jsonl", records)
    done = microcoder(*GRADE, "--from", "bigcodebench", "--workers", 1, "--no-cache", cwd=tmp_path)
    assert done.returncode == 1
    assert "no problem is called 'other'" in done.stderr + done.stdout
    grades = [json.loads(line) for line in (tmp_path / "out/grades.jsonl").read_text().splitlines()]
    assert {grade["submission_id"]: grade["accepted"] for grade in grades} == {"sum#0": True, "sum#1": False}
    wrong = microcoder(*GRADE, "--from", "bigcode", "--no-cache", cwd=tmp_path)
    assert (wrong.returncode, "Traceback" in wrong.stderr) == (2, False)
