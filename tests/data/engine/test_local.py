"""What the local engine's workers load, and what a build leaves behind in its own process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from microcoder_data import Options, build, load_recipe, make_engine

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


def test_a_build_leaves_the_longest_integer_of_its_process_as_it_is(recipe_file: Path, tmp_path: Path) -> None:
    before = sys.get_int_max_str_digits()
    build(load_recipe(recipe_file), tmp_path / "out", make_engine("local", 1), Options(until="collect"))
    assert sys.get_int_max_str_digits() == before > 0


SLOW_PRELOAD = """
import sys
from microcoder_data.engine import local

local.PRELOADED = ["slow_to_import"]
try:
    list(local.LocalEngine(2).map(abs, [1, 2, 3]))
except KeyboardInterrupt:
    sys.exit(130)
"""


def test_ctrl_c_before_the_workers_are_ready_leaves_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "slow_to_import.py").write_text(
        "import pathlib, time\npathlib.Path('begun').touch()\nwhile not pathlib.Path('go').exists(): time.sleep(0.01)\n"
    )
    running = subprocess.Popen(
        [sys.executable, "-c", SLOW_PRELOAD],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while not (tmp_path / "begun").exists():
        assert running.poll() is None
        time.sleep(0.01)
    os.killpg(running.pid, signal.SIGINT)
    (tmp_path / "go").touch()
    assert "slow_to_import" not in running.communicate()[1] and running.returncode == 130
