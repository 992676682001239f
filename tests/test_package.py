"""The package from outside: `import microcoder`, `python -m microcoder`, the help, and the install lines."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

import microcoder
from microcoder.assembly import COMMANDS, WORKFLOW
from microcoder.assembly import microcoder as command
from microcoder_eval.install_line import install_line

ROOT = Path(__file__).parent.parent
PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, cwd=ROOT)


def test_the_front_has_the_main_names_and_loads_them_late() -> None:
    program = (
        "import sys, microcoder; assert not {'click', 'torch', 'microcoder_eval'} & sys.modules.keys();"
        "print(microcoder.__version__, microcoder.Grader.__name__, microcoder.load_recipe.__name__)"
    )
    done = run("-c", program)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[1:] == ["Grader", "load_recipe"]
    assert all(getattr(microcoder, name) is not None for name in microcoder.__all__ if "train" not in name)


def test_python_m_microcoder_and_the_script_of_the_repository_are_the_command_line() -> None:
    texts = [run(*words, "--help").stdout for words in (["-m", "microcoder"], ["cli.py"])]
    assert texts[0] == texts[1] and "Usage: microcoder" in texts[0]


def test_what_is_installed_leaves_the_module_name_cli_alone() -> None:
    wheel = PROJECT.split("[tool.hatch.build.targets.wheel]")[1].split("\n[")[0]
    assert "cli" not in wheel and '"microcoder"' in wheel
    assert 'microcoder = "microcoder.__main__:main"' in PROJECT


def test_every_command_is_in_a_section_of_the_help_that_is_a_sentence() -> None:
    assert sorted(name for names in WORKFLOW.values() for name in names) == sorted(COMMANDS)
    text = CliRunner().invoke(command, ["--help"]).output
    for name, entry in COMMANDS.items():
        assert entry.summary.endswith(".") and entry.summary[0].isupper()
        assert f"{name} " in text


def test_the_extra_all_has_every_extra() -> None:
    part = PROJECT.split("[project.optional-dependencies]")[1].split("\n[")[0]
    extras = set(re.findall(r"^(\w+) = \[", part, re.MULTILINE)) - {"all", "dev", "docs"}
    (whole,) = re.findall(r'all = \["microcoder\[([\w,]+)\]"\]', part)
    assert set(whole.split(",")) == extras


def test_a_missing_extra_is_installed_by_a_line_that_works_from_a_checkout() -> None:
    assert install_line("data", "train") == f'pip install -e "{ROOT}[data,train]"'


def test_a_name_whose_extra_is_missing_says_the_install_line() -> None:
    for name, missing, extra in (("build", "pyarrow", "data"), ("train", "torch", "train")):
        done = run("-c", f"import sys; sys.modules[{missing!r}] = None; from microcoder import {name}")
        assert f'microcoder.{name} needs {missing}: pip install -e "{ROOT}[{extra}]"' in done.stderr


def test_an_installed_package_names_where_it_came_from(tmp_path: Path) -> None:
    """No index has the package, so an install line must lead to the wheel or the repository."""
    site, record = tmp_path / "site" / "inner", tmp_path / "site" / "inner" / "microcoder-1.0.dist-info"
    record.mkdir(parents=True)
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: microcoder\nVersion: 1.0\n")
    source = (ROOT / "microcoder_eval" / "install_line.py").read_text(encoding="utf-8")
    (site / "line_as_installed.py").write_text(source)
    program = (
        f"import sys; sys.path.insert(0, {str(site)!r}); import line_as_installed as l; print(l.install_line('data'))"
    )

    def line_for(url: str | None) -> str:
        place = record / "direct_url.json"
        place.unlink(missing_ok=True)
        if url is not None:
            place.write_text(url)
        return subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path
        ).stdout.strip()

    wheel = tmp_path / "a wheel.whl"
    wheel.write_text("")
    assert line_for(f'{{"url": "{wheel.as_uri()}"}}') == f'pip install "microcoder[data] @ {wheel.as_uri()}"'
    git = '{"url": "https://example.org/m.git", "vcs_info": {"vcs": "git", "commit_id": "abc"}}'
    assert line_for(git) == 'pip install "microcoder[data] @ git+https://example.org/m.git@abc"'
    for unusable in (None, "", "{broken", '{"url": "file:///nowhere/m.whl"}'):
        assert line_for(unusable) == 'pip install "microcoder[data]"'
