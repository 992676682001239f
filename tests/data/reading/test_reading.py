"""The same records from every format, cut anywhere; what cannot be read is named with its place."""

from __future__ import annotations

import gzip
import json
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from microcoder_data.conversion import rows_of
from microcoder_data.reading import json_records, tables
from microcoder_data.reading.files import find_files, format_of
from microcoder_data.reading.hub import hub_parts
from microcoder_data.reading.records import read_part
from microcoder_data.reading.scanning import scan
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.shards import TestStore
from microcoder_eval import InputError
from microcoder_eval.reading.compressed import open_unpacked

pytestmark = pytest.mark.fast

RECORDS = [{"id": str(number), "text": f"línea {number}\n" * (number % 5)} for number in range(200)]
SPEC = SourceSpec(source="generic", path=("x",))


def read(path: Path, part_bytes: int = 1 << 20) -> list[tuple[str, Any]]:
    return [record for part in scan((0, str(path), part_bytes)).parts for record in read_part(part, SPEC)]


def lines() -> bytes:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in RECORDS).encode()


def written(folder: Path, name: str) -> Path:
    path = folder / name
    if name == "a.jsonl":
        path.write_bytes(lines())
    elif name == "a.jsonl.gz":
        path.write_bytes(gzip.compress(lines()))
    elif name == "a.jsonl.zst":
        path.write_bytes(zstandard.ZstdCompressor().compress(lines()))
    elif name == "array.json":
        path.write_text(json.dumps(RECORDS, indent=2))
    elif name == "lines.json":
        path.write_bytes(lines())
    elif name == "wrapped.json":
        path.write_text(json.dumps({"version": 1, "rows": RECORDS}, indent=1))
    elif name == "a.parquet":
        pq.write_table(pa.Table.from_pylist(RECORDS), path, row_group_size=30)
    elif name == "file.arrow":
        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, pa.Table.from_pylist(RECORDS).schema) as writer:
            writer.write_table(pa.Table.from_pylist(RECORDS), max_chunksize=70)
    elif name == "stream.arrow":
        with (
            pa.OSFile(str(path), "wb") as sink,
            pa.ipc.new_stream(sink, pa.Table.from_pylist(RECORDS).schema) as writer,
        ):
            writer.write_table(pa.Table.from_pylist(RECORDS))
    else:
        import csv

        with path.open("w", newline="") as file:
            table = csv.DictWriter(file, ["id", "text"], delimiter="\t" if name.endswith("tsv") else ",")
            table.writeheader()
            table.writerows(RECORDS)
    return path


NAMES = (
    "a.jsonl a.jsonl.gz a.jsonl.zst array.json lines.json wrapped.json a.parquet file.arrow stream.arrow a.csv a.tsv"
)


@pytest.mark.parametrize("name", NAMES.split())
@pytest.mark.parametrize("part_bytes", [1, 500, 1 << 20])
def test_every_format_gives_the_same_records(tmp_path: Path, name: str, part_bytes: int) -> None:
    assert [record for _, record in read(written(tmp_path, name), part_bytes)] == RECORDS


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(alphabet="ab\u00e9", max_size=30), max_size=20), st.integers(1, 200), st.booleans())
def test_cuts_lose_nothing_and_keep_line_numbers(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], part_bytes: int, last_line_ends: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / "cut.jsonl"
    body = "\n".join(json.dumps({"t": text}, ensure_ascii=False) if text else "" for text in texts)
    path.write_text(body + ("\n" if last_line_ends else ""), encoding="utf-8")
    wanted = [(f"cut.jsonl:{number}", {"t": text}) for number, text in enumerate(texts, 1) if text]
    assert read(path, part_bytes) == wanted


def test_broken_lines_are_named_with_their_place(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(b'{"a": 1}\n{"a": \n[1]\n\xff\xfe\n\n{"a": 2}\n')
    found = [(place, record.reason if isinstance(record, Reject) else record) for place, record in read(path)]
    assert found == [
        ("bad.jsonl:1", {"a": 1}),
        ("bad.jsonl:2", "broken_json"),
        ("bad.jsonl:3", "not_an_object"),
        ("bad.jsonl:4", "invalid_utf8"),
        ("bad.jsonl:6", {"a": 2}),
    ]


def test_a_table_that_a_western_spreadsheet_wrote_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("id;Aufgabe\r\na;Gib die Größe „x – y“ aus.\r\n".encode("cp1252"))
    assert [record for _, record in read(tmp_path / "a.csv")] == [{"id": "a", "Aufgabe": "Gib die Größe „x – y“ aus."}]


def test_a_row_of_a_table_is_at_its_first_line(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('sep=;\nid;statement\na;"Add.\nTwo numbers."\nb;Multiply.\nc;too;many\n')
    found = [
        (place, record.reason if isinstance(record, Reject) else record["id"])
        for place, record in read(tmp_path / "a.csv")
    ]
    assert found == [("a.csv:3", "a"), ("a.csv:5", "b"), ("a.csv:6", "broken_csv")]


def test_a_quote_that_nothing_closes_does_not_swallow_rows(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('id,statement\na,"Add.\nb,Multiply.\nc,Divide.\n')
    with pytest.raises(InputError, match=r"a\.csv: broken CSV near line 2"):
        list(read(tmp_path / "a.csv"))


def test_of_two_columns_with_one_name_none_is_chosen(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,input,output,input\na,1,2,3\n")
    with pytest.raises(InputError, match="two columns are called 'input'"):
        list(read(tmp_path / "a.csv"))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("russian.csv", 'id,statement,inputs,outputs\na,Сумма,[1],[2]\nb,Size,[1],[2]\n'.encode("cp1251")),
        ("latin.json", json.dumps([{"id": "a", "statement": "Größe", "inputs": [1], "outputs": [2]}, {"id": "b",
         "statement": "Size", "inputs": [1], "outputs": [2]}], ensure_ascii=False).encode("latin-1")),
    ],
)  # fmt: skip
def test_bytes_of_another_encoding_reject_their_record(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    names = {"problem_id": "id", "statement": "statement", "inputs": "inputs", "outputs": "outputs"}
    spec = SourceSpec(source="generic", path=(name,), fields=names)
    parts = scan((0, str(tmp_path / name), 1 << 20)).parts
    (_, rejected), (row, _) = rows_of(parts, spec, TestStore(tmp_path), limit=None, strict=False)
    assert rejected is not None and rejected["reason"] == "broken_unicode" and "not UTF-8" in rejected["detail"]
    assert row is not None and row["statement"] == "Size"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.parquet", b"not parquet"),
        ("a.arrow", b"not arrow"),
        ("a.json", b'[{"a": 1}, {"a": '),
        ("a.json", b"{broken"),
        ("a.jsonl.gz", gzip.compress(lines())[:-200]),
        ("a.jsonl.gz", b"not gzip"),
        ("a.jsonl.zst", b"not zstd"),
    ],
)
def test_files_that_cannot_be_read_are_one_clear_error(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=name.replace(".", r"\.")):
        read(tmp_path / name)


def test_a_frame_that_unpacks_to_much_is_read_in_small_pieces(tmp_path: Path) -> None:
    whole = zstandard.ZstdCompressor().compressobj()
    packed = b"".join([*(whole.compress(bytes(64 << 20)) for _ in range(12)), whole.flush()])
    assert len(packed) < 1 << 16
    (tmp_path / "a.jsonl.zst").write_bytes(packed)
    tracemalloc.start()
    with open_unpacked(tmp_path / "a.jsonl.zst") as file:
        assert file.read(5) == bytes(5)
    assert tracemalloc.get_traced_memory()[1] < 300 << 20
    tracemalloc.stop()


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.json", '[{"a": "xxxx'), ("a.csv", 'a,b\n"xxxx'), ("b.json", '{"a": "xxxx')],
)
def test_a_record_without_an_end_is_one_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: str
) -> None:
    monkeypatch.setattr(json_records, "MAX_RECORD_BYTES", 1 << 20)
    monkeypatch.setattr(json_records, "MAX_OBJECT_BYTES", 1 << 20)
    monkeypatch.setattr(tables, "MAX_RECORD_BYTES", 1 << 20)
    (tmp_path / f"{name}.gz").write_bytes(gzip.compress((content + "x" * (4 << 20)).encode()))
    with pytest.raises(InputError, match=r"over \d+ [MG]B"):
        read(tmp_path / f"{name}.gz")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])
@pytest.mark.parametrize("name", ["a.jsonl", "array.json", "a.csv", "a.jsonl.gz", "a.jsonl.zst"])
def test_texts_of_two_bytes_a_letter_are_read(tmp_path: Path, name: str, encoding: str) -> None:
    path = written(tmp_path, name)
    with open_unpacked(path) as file:
        text = file.read().decode()
    packed = {"gz": gzip.compress, "zst": zstandard.ZstdCompressor().compress}.get(name.rpartition(".")[2], bytes)
    path.write_bytes(packed(text.encode(encoding)))
    assert [record for _, record in read(path, 500)] == RECORDS


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("keyed.json", '{"p1": {"body": "Add."}, "p2": {"body": "Sub."}}'),
        ("one.json", '{"p1": {"body": "Add."}}'),
        ("deeper.json", '{"version": 2, "problems": {"p1": {"body": "Add."}}}'),
        ("after.json", '{\n "id": "p1",\n "body": "Add."\n}\n{\n "id": "p2"\n}\n'),
        ("listed.yaml", "- id: p1\n  body: Add.\n- id: p2\n"),
        ("keyed.yml", "p1: {body: Add.}\np2: {body: Sub.}\n"),
        ("documents.yaml", "id: p1\nbody: Add.\n---\nid: p2\n"),
        ("record.json", '{"id": "p1", "body": "Add.", "cases": [{"in": "1", "out": "1"}]}'),
        ("unnamed.json", '{"slug": "p1", "body": "Add.", "cases": [{"in": "1", "out": "1"}]}'),
        ("semicolons.csv", 'id;body\np1;Add.\np2;"a; b"\n'),
        ("excel.csv", "sep=;\nid;body\np1;Add.\n"),
        ("tabs.csv", "id\tbody\np1\tAdd.\n"),
    ],
)
def test_documents_as_people_write_them(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    first = read(tmp_path / name)[0][1]
    assert first.get("id", first.get("slug")) == "p1" and first["body"] == "Add."


def test_a_spreadsheet_is_refused_with_the_way_out() -> None:
    with pytest.raises(InputError, match=r"a spreadsheet: save it as CSV"):
        format_of("data/tasks.xlsx")


def test_pickles_and_unknown_formats_are_refused() -> None:
    with pytest.raises(InputError, match="a pickle, which can run any program"):
        format_of("data/train.pkl")
    with pytest.raises(InputError, match="unknown format"):
        format_of("data/train.csvx")


def test_a_missing_file_is_named() -> None:
    with pytest.raises(InputError, match=r"sources\[0\]: no file matches 'nowhere/\*\.jsonl'"):
        find_files(SourceSpec(source="taco", path=("nowhere/*.jsonl",)), "sources[0]")


def test_datasets_of_the_hub_go_through_the_same_door(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    folder = tmp_path / "saved"
    folder.mkdir()
    pq.write_table(pa.Table.from_pylist(RECORDS), folder / "train-00000-of-00001.parquet")
    spec = SourceSpec(source="generic", dataset=str(folder), split="train")
    scanned = hub_parts(0, spec)
    assert [record for part in scanned.parts for _, record in read_part(part, spec)] == RECORDS
    with pytest.raises(InputError, match="cannot be loaded"):
        hub_parts(0, SourceSpec(source="generic", dataset=str(tmp_path / "nothing")))


def test_a_hub_that_cannot_be_reached_is_said_without_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:1")  # nothing listens there
    monkeypatch.setattr(time, "sleep", lambda seconds: pytest.fail("the hub was asked again"))
    with pytest.raises(InputError, match=r"the hub cannot be reached: Connection refused.*name its files with `path`"):
        hub_parts(0, SourceSpec(source="generic", dataset="acme/problems"))


@pytest.mark.parametrize(
    "name", ["a.jsonl.gz", "a.jsonl.zst", "array.json", "wrapped.json", "a.parquet", "file.arrow", "stream.arrow"]
)
@pytest.mark.parametrize("share", [0.1, 0.5, 0.95])
def test_a_file_that_was_cut_short_is_an_error_that_names_it(tmp_path: Path, name: str, share: float) -> None:
    path = written(tmp_path, name)
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])
    with pytest.raises(InputError, match=name.replace(".", r"\.")):
        read(path)


def test_json_lines_that_end_inside_a_record_say_so(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(lines()[:-10])
    *whole, (place, last) = read(path)
    assert len(whole) == len(RECORDS) - 1 and isinstance(last, Reject)
    assert (place, last.reason) == ("a.jsonl:200", "cut_short")


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.jsonl.zst", "a.parquet"])
@settings(max_examples=25, deadline=None)
@given(places=st.lists(st.floats(0, 0.999), min_size=1, max_size=20))
def test_flipped_bytes_never_raise_anything_else(
    tmp_path_factory: pytest.TempPathFactory, name: str, places: list[float]
) -> None:
    path = written(tmp_path_factory.mktemp("flipped"), name)
    data = bytearray(path.read_bytes())
    for place in places:
        data[int(place * len(data))] ^= 0x55
    path.write_bytes(bytes(data))
    try:
        read(path)
    except InputError as error:
        assert name in str(error)
