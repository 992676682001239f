"""What the local engine's workers load, and when it starts them."""

from __future__ import annotations

import subprocess
import sys

import pytest

PANDAS = """
import sys
from microcoder_data.without_pandas import do_without_pandas
do_without_pandas()
import pyarrow as pa
table = pa.Table.from_pylist([{"a": 1}])
assert "pandas" not in sys.modules
assert table.to_pandas()["a"][0] == 1
import pandas
assert pa.array(pandas.Series([1, None])).null_count == 1
"""


def test_arrays_are_made_without_pandas_and_to_pandas_still_works() -> None:
    pytest.importorskip("pandas")
    subprocess.run([sys.executable, "-c", PANDAS], check=True)
