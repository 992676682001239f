"""What a task of Verify writes: published rows, their solutions, what was dropped, and the account of all."""

from __future__ import annotations

from contextlib import ExitStack

from microcoder_data.pipeline.row_memory import Verified
from microcoder_data.pipeline.shard_files import ShardFile, described
from microcoder_data.pipeline.shard_task import ShardTask, TaskRecord
from microcoder_data.pipeline.tally import Tally
from microcoder_data.pipeline.unchanged_rows import COMPARED, DROPPED, ROW, ROW_WITH_SOLUTIONS, Run, UnchangedRows
from microcoder_data.schema import DROPPED as DROPPED_SCHEMA
from microcoder_data.schema import ROW as ROW_SCHEMA
from microcoder_data.schema import SOLUTIONS, Row, row_sha256, tests_sha256, text_sha256
from microcoder_data.shards import StoredTest
from microcoder_eval.atomic import atomic_path

_REASON = ["rule", "outcome", "reason", "names"]


class VerifiedFiles:
    """The files of one task while they are written, row by row, or copied from the base."""

    def __init__(self, task: ShardTask, stack: ExitStack) -> None:
        self._task = task
        self.tally = Tally()
        self.shards = {
            kind: ShardFile(stack, task.path(kind), what, schema)
            for kind, what, schema in (
                ("parquet", "rows", ROW_SCHEMA),
                ("solutions.parquet", "solutions", SOLUTIONS),
                ("dropped.parquet", "dropped", DROPPED_SCHEMA),
                ("compared.parquet", "compared", DROPPED_SCHEMA),
            )
        }
        self._hashes: list[bytes] = []
        self._oversized: set[str] = set()
        self._places = bytearray()

    def write_decided(self, entry: Row) -> None:
        """A row that an earlier stage has decided against."""
        self.shards["compared.parquet"].write(entry)
        self._places.append(COMPARED)

    def write(self, result: Verified) -> None:
        """A row that was verified."""
        self.tally.read += 1
        if result.entry is not None:
            self.tally.drop(result.entry)
            self.shards["dropped.parquet"].write(result.entry)
            self._places.append(DROPPED)
            return
        row = result.row
        assert row is not None
        if not result.recalled:
            row["statement_sha256"], row["tests_sha256"] = text_sha256(row["statement"]), tests_sha256(row)
            row["row_sha256"] = row_sha256(row)
        self._hashes.append(bytes.fromhex(row["row_sha256"]))
        self._oversized.update(StoredTest.parse(test["ref"]).sha256 for test in row["tests"] if test["ref"])
        self.tally.keep(row, self._task.stage)
        self.shards["parquet"].write(row)
        if result.solutions is not None:
            self.shards["solutions.parquet"].write(result.solutions)
        self._places.append(ROW_WITH_SOLUTIONS if result.solutions is not None else ROW)

    def copy(self, unchanged: UnchangedRows, run: Run) -> None:
        """Rows whose results the base has."""
        import pyarrow.compute as pc  # only a build on a base needs it, and it loads slowly

        self._places += unchanged.places(run)
        for kind, shard in self.shards.items():
            table = unchanged.results(run, kind)
            if table is None:
                continue
            shard.write_table(table)
            if kind == "dropped.parquet":
                self.tally.read += table.num_rows
                for entry in table.select(_REASON).to_pylist():
                    self.tally.drop(entry)
            elif kind == "parquet":
                self.tally.read += table.num_rows
                self._hashes += map(bytes.fromhex, table["row_sha256"].to_pylist())
                refs = pc.struct_field(pc.list_flatten(table["tests"]), "ref")
                self._oversized.update(StoredTest.parse(ref).sha256 for ref in pc.unique(refs).to_pylist() if ref)
                self.tally.keep_all(table["provenance"], self._task.stage)

    def account(self, files: list[TaskRecord]) -> TaskRecord:
        """The task's record, when the shards are in place; what belongs to them is written here."""
        files = list(files)
        for kind, body in (("hashes", b"".join(sorted(self._hashes))), ("places", bytes(self._places))):
            with atomic_path(self._task.path(kind)) as path:
                path.write_bytes(body)
            files.append(described(self._task.path(kind), kind, len(self._hashes)))
        record = self.tally.record(self._task.key, files)
        return {**record, "rows_key": self._task.rows_key, "oversized": sorted(self._oversized)}
