"""The persistent index finds what the exact join finds, and comes back from disk as it went."""

from pathlib import Path

import numpy as np
import pytest

from microcoder_data.compare.near import near_pairs
from microcoder_data.compare.statement_index import StatementIndex
from microcoder_eval import InputError
from tests.data.made_up import taco_record

pytestmark = pytest.mark.fast


def test_near_statements_are_found_before_and_after_a_reload(tmp_path: Path) -> None:
    texts = [taco_record(number)["question"] for number in range(30)]
    index = StatementIndex()
    index.add((f"a:{number}", text) for number, text in enumerate(texts))
    index.save(tmp_path / "index.npz")
    loaded = StatementIndex.load(tmp_path / "index.npz")
    asked = texts[7].replace("integers", "whole numbers", 1)
    exact = near_pairs([texts[7], asked], 0.7).jaccard[0]
    for one in (index, loaded):
        ((name, jaccard),) = one.similar(asked)
        assert name == "a:7" and jaccard == pytest.approx(exact, abs=0.12)
        assert one.similar("something else altogether, in other words than any statement here") == []
    with pytest.raises(InputError, match="already holds"):
        loaded.add([("a:7", "again")])


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "text.npz").write_text("no index")
    np.savez(tmp_path / "other.npz", names=np.zeros(1))
    wanted = {
        "text.npz": "not an index",
        "other.npz": "not an index",
        "texts.npz": "no such file; did you mean .*text.npz",
    }
    for name, said in wanted.items():
        with pytest.raises(InputError, match=said):
            StatementIndex.load(tmp_path / name)
