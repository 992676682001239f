"""A Ray cluster of three nodes on this machine, one of them killed while a dataset is built: the same bytes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from microcoder_data import build, load_recipe, make_engine
from microcoder_data.compare.corpus import Corpus, Sizes, run_part
from microcoder_data.engine import Engine
from microcoder_data.pipeline import compare
from microcoder_data.pipeline.row_rules import rules_task
from tests.data.builds import published
from tests.data.made_up import small_recipe, taco_record, write_lines

pytest.importorskip("ray", reason="needs the extra ray")

from tests.eval.connection.cluster.conftest import Nodes, nodes  # noqa: F401

ROWS = 240


class KillsANode:
    """An engine that kills a node when the first of several tasks with this function has ended; the others run."""

    def __init__(self, engine: Engine, during: Callable[..., Any], kill: Callable[[], None]) -> None:
        self._engine, self._during, self._kill = engine, during, kill
        self.workers = engine.workers
        self.left_when_killed = 0

    def map(self, function: Callable[[Any], Any], tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        for number, found in enumerate(self._engine.map(function, tasks)):
            if function is self._during and len(tasks) >= 2 * self.workers and not self.left_when_killed:
                self._kill()
                self.left_when_killed = len(tasks) - number - 1
            yield found

    def close(self) -> None:
        self._engine.close()


@pytest.mark.slow
@pytest.mark.parametrize("during", [run_part, rules_task], ids=["comparing", "processing"])
def test_a_node_that_is_killed_while_tasks_run_changes_no_byte(
    nodes: Nodes,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    during: Callable[..., Any],
) -> None:
    # Parts so small that 240 rows are many: sizes change the number of tasks and never the result.
    monkeypatch.setattr(compare, "Corpus", functools.partial(Corpus, sizes=Sizes(1500, 400, 20)))
    nodes.have(3)
    records = [taco_record(number) for number in range(ROWS)]
    records += [{**taco_record(number), "url": "", "tags": "[]"} for number in range(0, ROWS, 5)]
    recipe = load_recipe(small_recipe(tmp_path, write_lines(tmp_path / "taco.jsonl", records)))
    manifest = build(recipe, tmp_path / "local", make_engine("local", workers=1))
    assert manifest is not None and sum(stage["merged"] for stage in manifest["stages"]) == ROWS // 5
    engine = KillsANode(make_engine("ray", address=nodes.address), during, nodes.kill_one)
    assert engine.workers == 3
    build(recipe, tmp_path / "ray", engine)
    assert len(nodes.alive) == 2 and engine.left_when_killed > engine.workers
    assert published(tmp_path / "ray") == published(tmp_path / "local")
