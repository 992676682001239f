"""The same replies from every form in which people keep files, and forms that are refused with the way out."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import random
from pathlib import Path
from typing import Any

import pytest
import zstandard

from microcoder_eval import InputError
from microcoder_eval.reading import compressed
from microcoder_eval.reading.compressed import open_unpacked
from microcoder_eval.reading.documents import records_in
from microcoder_eval.reading.input_files import read_records
from microcoder_eval.reading.record_files import open_records
from microcoder_eval.reading.yaml_form import read_yaml

pytestmark = pytest.mark.fast

REPLIES = [{"id": f"r{number}", "reply": f"größer\n{number}; {number}, 'x'"} for number in range(300)]
PROBLEM = {"id": "sum", "tests": [{"input": "1 2", "output": "3"}]}
LINES = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in REPLIES)
PACKERS = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstandard.ZstdCompressor(write_checksum=True).compress,
}


def records(path: Path) -> list[Any]:
    return [record for _, record in read_records(path)]


@pytest.mark.parametrize("form", ["stream", "file"])
def test_a_folder_that_datasets_saved_holds_the_rows_of_its_arrow_files(tmp_path: Path, form: str) -> None:
    ipc = pytest.importorskip("pyarrow.ipc")
    table = pytest.importorskip("pyarrow").Table.from_pylist(REPLIES)
    part = tmp_path / "saved" / "train" / "data-00000-of-00001.arrow"
    part.parent.mkdir(parents=True)
    with part.open("wb") as out, getattr(ipc, f"new_{form}")(out, table.schema) as writer:
        writer.write_table(table, max_chunksize=100)
    (tmp_path / "saved" / "dataset_dict.json").write_text('{"splits": ["train"]}')
    (part.parent / "state.json").write_text('{"_data_files": []}')
    (part.parent / "cache-c4d15d30f7.arrow").write_bytes(part.read_bytes())  # of `map`
    assert records(tmp_path / "saved") == records(part) == REPLIES
    files = open_records(tmp_path / "saved")
    assert [files.read(where)[0] for _, where, _ in files.records()] == REPLIES
    part.write_bytes(part.read_bytes()[:2000])
    with pytest.raises(InputError, match="not Arrow"):
        records(part)


@pytest.mark.parametrize("packing", PACKERS)
@pytest.mark.parametrize("name", ["a.jsonl.{}", "a.json", "replies"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32-le"])
def test_what_the_first_bytes_show_is_read_under_any_name(
    tmp_path: Path, packing: str, name: str, encoding: str
) -> None:
    path = tmp_path / name.format(packing)
    path.write_bytes(PACKERS[packing](LINES.encode(encoding)))
    assert records(path) == REPLIES


@pytest.mark.parametrize("packing", PACKERS)
def test_frames_one_after_another_and_reading_back(tmp_path: Path, packing: str) -> None:
    content = random.Random(3).randbytes(30_000)
    path = tmp_path / f"a.{packing}"
    path.write_bytes(b"".join(PACKERS[packing](part) for part in (b"", content[:9_000], content[9_000:])))
    with open_unpacked(path) as file:
        assert file.read() == content
        for place in (0, 29_000, 12_345):
            file.seek(place)
            assert file.tell() == place and file.read(100) == content[place : place + 100]


@pytest.mark.parametrize("packing", PACKERS)
@pytest.mark.parametrize("harm", ["cut", "changed", "other"])
def test_damage_is_an_error_at_its_place(tmp_path: Path, packing: str, harm: str) -> None:
    packed = PACKERS[packing](random.Random(3).randbytes(9_000))
    middle = len(packed) // 2
    changed = packed[:middle] + bytes(255 - byte for byte in packed[middle : middle + 40]) + packed[middle + 40 :]
    path = tmp_path / f"a.{packing}"
    path.write_bytes({"cut": packed[:middle], "changed": changed, "other": b"not packed"}[harm])
    with pytest.raises(OSError), open_unpacked(path) as file:
        file.read()


def test_a_small_archive_is_unpacked_in_small_blocks(tmp_path: Path) -> None:
    path = tmp_path / "a.zst"
    path.write_bytes(PACKERS["zst"](bytes(1 << 28)))
    with open_unpacked(path) as file:
        assert file.read(10) == bytes(10)
        largest = max(len(block) for _, block in zip(range(5), compressed._unpacked(path), strict=False))
    assert largest <= 1 << 27


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "id,reply\nr0,x\n"),
        ("a.csv", "id;reply\nr0;x\n"),
        ("a.csv", "sep=;\nid;reply\nr0;x\n"),
        ("a.csv", '"id, or name"\tid\treply\nq\tr0\tx\n'),
        ("a.csv", "\n\nid;reply\nr0;x\n"),
        ("a.csv", "id,reply\nr0,x,,\n"),
        ("a.tsv", "id\treply\nr0\tx\n"),
        ("a.tsv", "id\treply\tnotes, hints, names\nr0\tx\t1\n"),
        ("a.CSV", "id|reply\nr0|x\n"),
        ("a.json", '{"r0": {"reply": "x"}}'),
        ("a.json", '{"run": 1, "records": {"r0": {"reply": "x"}, "r1": {"reply": "y"}}}'),
        ("a.json", '{"model": "m", "made": "today", "output": [{"id": "r0", "reply": "x"}]}'),
        ("a.json", '{\n"id": "r0",\n"reply": "x"}\n{\n"id": "r1",\n"reply": "y"}'),
        ("a.yaml", "- id: r0\n  reply: x\n"),
        ("a.yml", "r0:\n  reply: x\nr1:\n  reply: y\n"),
        ("a.yaml", "id: r0\nreply: x\n---\nid: r1\nreply: y\n"),
    ],
)
def test_a_table_or_document_as_people_write_it(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    first = records(tmp_path / name)[0]
    assert (first["id"], first["reply"]) == ("r0", "x")


@pytest.mark.parametrize(
    "record",
    [
        {"slug": "a", "body": "Add.", "cases": [{"in": "1", "out": "1"}]},
        {"qid": 1, "prompt": "Add.", "programs": [{"language": "c", "program": ""}]},
        {"id": 1, "data": [{"x": 1}]},
        {"task_id": "a", "prompt": "Add.", "test": "assert f(1)"},
        {"problem_id": "a", "code": "print(1)"},
    ],
)
def test_a_single_record_stays_whole(record: dict[str, Any]) -> None:
    assert records_in(record) is None


def test_yaml_keeps_words_and_dates_as_text_and_refuses_aliases() -> None:
    assert read_yaml(b"[no, 2024-01-02, 007, 1:30, on, '5']") == ["no", "2024-01-02", "007", "1:30", "on", "5"]
    assert read_yaml(b"[5, -2.5, true, null, ]") == [5, -2.5, True, None]
    for text in (b"a: &x [1]\nb: [*x, *x]", b"a: !!python/name:os.system ''", b"a: ["):
        with pytest.raises(ValueError, match=r"alias|tag|while parsing"):
            read_yaml(text)


@pytest.mark.parametrize(
    "text", [b"[" * 200_000, b"- " * 100_000 + b"a", b"{a: " * 100_000, b"a: !!bool maybe", b"!!set {a}"]
)
def test_hostile_yaml_is_refused_in_one_line(text: bytes) -> None:
    with pytest.raises(ValueError, match=r"levels deep|nesting depth|a tag"):
        read_yaml(text)


def test_a_number_of_many_digits_is_a_text() -> None:
    assert read_yaml(b"x: " + b"9" * 5000) == {"x": "9" * 5000}
    assert read_yaml(b"[1e3, 2.5e-1, 1.]") == [1000.0, 0.25, "1."]


@pytest.mark.parametrize(
    ("name", "content", "way_out"),
    [
        ("a.xlsx", b"", "save it as CSV"),
        ("a.ods", b"", "save it as CSV"),
        ("a.csv", b"PK\x03\x04....", "save it as CSV"),
        ("a.zip", b"", "unpack it"),
        ("a.kpp", b"", "`microcoder data init` makes a dataset of a judge's package"),
        ("a.sqlite", b"", "export its table"),
        ("a.pkl", b"", "JSON lines or Parquet"),
        ("a.json", b"PAR1....", "name it .parquet"),
    ],
)
def test_other_forms_are_refused_with_the_way_out(tmp_path: Path, name: str, content: bytes, way_out: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=way_out):
        records(tmp_path / name)


@pytest.mark.parametrize(
    "answer",
    [
        {
            "features": [{"name": "id"}],
            "rows": [{"row_idx": 0, "row": PROBLEM, "truncated_cells": []}],
            "partial": False,
        },
        {"took": 3, "hits": {"total": 1, "hits": [{"_index": "problems", "_id": "7", "_source": PROBLEM}]}},
        {"data": {"problems": {"edges": [{"cursor": "x", "node": PROBLEM}]}}},
        {"records": [{"id": "rec1", "createdTime": "2026-01-01", "fields": PROBLEM}], "offset": "y"},
        [{"row_idx": 0, "row": PROBLEM}],
    ],
    ids=["datasets-server", "elasticsearch", "graphql", "airtable", "its rows alone"],
)
def test_answers_of_services_hold_the_records_in_envelopes(tmp_path: Path, answer: Any) -> None:
    path = tmp_path / "answer.json"
    path.write_text(json.dumps(answer))
    assert records(path) == [PROBLEM]


def test_a_cell_that_datasets_server_has_cut_is_no_value(tmp_path: Path) -> None:
    path = tmp_path / "answer.json"
    cut = {"row_idx": 0, "row": {**PROBLEM, "tests": '[{"inp'}, "truncated_cells": ["tests"]}
    path.write_text(json.dumps({"rows": [cut]}))
    assert records(path) == [{"id": "sum"}]


@pytest.mark.parametrize(
    "record",
    [{"title": "sum", "tests": [], "fields": {"a": 1}}, {"problem_id": "sum", "node": {"x": 1}}, {"id": "a", "row": 3}],
)
def test_an_object_with_fields_of_its_own_is_no_envelope(record: dict[str, Any]) -> None:
    assert records_in([record, record]) == [record, record]
