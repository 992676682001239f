"""Translation: what programs read and print survives it, doubtful translations are refused, no server costs a row."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microcoder_data import Options, build, load_recipe, make_engine
from microcoder_data.llm import chat_client
from microcoder_data.process.translation_markers import MarkedText
from microcoder_data.report.dataset import rows
from tests.data.builds import published
from tests.data.made_up import write_lines
from tests.data.scripted_server import serving

TEXT = """# Камни

Даны $n$ камней ($1 \\le n \\le 100$) и число -7. Если ответ есть, выведите "YES", иначе SIM, см. `a[i]`.

```
3 4
5
```

- не более 2 секунд
- $$x^2 + 3$$ и https://example.org/a1
"""


def test_a_text_comes_back_whole_when_nothing_is_translated() -> None:
    protected = MarkedText(TEXT, ["SIM"])
    segments = [segment.text for segment in protected.segments]
    assert protected.translated(segments) == TEXT
    assert not re.search(r"\d(?!\d*⟧)|\$|`|YES|SIM|http", "".join(segments))


def test_code_blocks_and_displayed_formulas_never_leave_the_text() -> None:
    assert not any(part in segment.text for segment in MarkedText(TEXT).segments for part in ("3 4", "x^2"))


def test_names_and_variables_among_other_letters_are_kept() -> None:
    (segment,) = MarkedText("给定 N 个整数，maxValue 是最大的。若 Alice Smith 获胜输出 YES。").segments
    assert segment.kept == ("N", "maxValue", "Alice Smith", "YES")
    (segment,) = MarkedText("São dados N inteiros, e a Alice joga com o Bob.").segments
    assert segment.kept == (), "among Latin letters nobody can tell a variable from a word"


@given(
    st.lists(
        st.sampled_from(["```", "~~~", "\\[", "\\]", "\\begin{a}", "\\end{a}", "\\end{b}", "word", " ", "\n"]),
        max_size=14,
    ).map("".join)
)
def test_blocks_are_what_a_lazy_pattern_finds(text: str) -> None:
    lazy = r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|\\\[.*?\\\]|\\begin\{(\w+)\}.*?\\end\{\1\}"
    left = re.sub(lazy, "\n\n", text, flags=re.DOTALL)
    assert sum(part.text.count("word") for part in MarkedText(text).segments) == left.count("word")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Open [the page](https://a.org/b_(c)) now.", "](https://a.org/b_(c))"),
        ("See ![a tree](tree.png) now.", "![a tree](tree.png)"),
        ("Take \\(x (y) + 1\\) now.", "\\(x (y) + 1\\)"),
        ("Not closed \\(here, but \\(y\\) is.", "\\(y\\)"),
    ],
)
def test_links_and_formulas_are_kept_whole(text: str, kept: str) -> None:
    (segment,) = MarkedText(text).segments
    assert kept in segment.kept


@pytest.mark.parametrize(
    ("translation", "fault"),
    [
        ("Given ⟦1⟧ stones and ⟦2⟧.", ""),
        ("Given ⟦2⟧ and ⟦1⟧ stones.", ""),
        ("Given ⟦1⟧ stones.", "lost ⟦2⟧"),
        ("Given ⟦1⟧ stones and ⟦2⟧ and ⟦2⟧.", "invented ⟦2⟧"),
        ("Given ⟦1⟧ stones and ⟦3⟧.", "lost ⟦2⟧"),
        ("Given ⟦1⟧ stones and ⟦2⟧ ⟦x⟧.", "altered"),
        ("Given ⟦1⟧ stones and ⟦2⟧, at least 3.", "number"),
        ("Given ⟦1⟧ stones and ⟦2⟧, `k`.", "code or a formula"),
        ("Given ⟦1⟧ stones and ⟦2⟧, $k$.", "code or a formula"),
        ("⟦1⟧⟦2⟧", "length"),
        ("Given ⟦1⟧ and ⟦2⟧." + " Much more." * 60, "length"),
    ],
)
def test_losing_inventing_or_altering_a_marker_is_found(translation: str, fault: str) -> None:
    (segment,) = MarkedText("Даны $n$ камней и 7.").segments
    assert fault in segment.fault(translation) and bool(fault) == bool(segment.fault(translation))


def russian(number: int) -> dict[str, Any]:
    heap = "".join("абвгдежзик"[int(digit)] for digit in str(number)) * 2
    text = (
        f"Даны {number} камней кучи {heap} и число $k_{number}$ в куче. Найдите сумму всех камней и выведите её.\n\n"
        "-----Input-----\n\nВ строке два целых числа.\n\n-----Output-----\n\nВыведите одно целое число.\n\n"
        f"-----Examples-----\nInput\n{number} 1\n\nOutput\n{number + 1}\n"
    )
    return {
        "id": f"ru{number}",
        "statement": text,
        "tests": [{"input": f"{number} {k}", "output": f"{number + k}"} for k in (1, 2, 3)],
    }


def recipe(tmp_path: Path, url: str, count: int = 12, **llm: Any) -> Path:
    write_lines(tmp_path / "ru.jsonl", [russian(number) for number in range(10, 10 + count)])
    settings = {"backend": "openai", "model": "scripted", "base_url": url, "timeout_s": 5, "attempts": 2, **llm}
    path = tmp_path / "recipe.yaml"
    text = {
        "name": "ru", "sources": [{"source": "generic", "name": "ru", "path": str(tmp_path / "ru.jsonl")}],
        "process": {"translate": True}, "filter": {"quality": False, "readability": False},
        "compare": {"duplicates": False}, "llm": settings,
    }  # fmt: skip
    path.write_text(json.dumps(text))
    return path


def built(path: Path, out: Path, **options: Any) -> list[dict[str, Any]]:
    assert build(load_recipe(path), out, make_engine("local", 2), Options(**options)) is not None
    return list(rows(out))


def english(body: dict[str, Any], number: int = 0) -> str:
    """English words in the place of the foreign ones, markers where they were."""
    segments = json.loads(body["messages"][1]["content"])["segments"]
    words = "Given the stones of the pile you must find and print the sum of all of them"
    translated = [f"{words} {' '.join(re.findall('⟦[0-9]+⟧', text))}." for text in segments]
    return json.dumps({"segments": translated}, ensure_ascii=False)


def test_rows_are_translated_and_the_original_is_kept_beside(tmp_path: Path) -> None:
    with serving(english) as server:
        found = built(recipe(tmp_path, server.base_url), tmp_path / "out")
    assert len(found) == 12
    for row in found:
        number = row["problem_id"].removeprefix("ru:ru")
        assert row["statement"].startswith("Given the stones") and f"{number} $k_{number}$" in row["statement"]
        assert row["language"] == "en" and row["translator"] == "scripted translate_v1"
        assert f"Даны {number} камней" in row["statement_original"]
        assert row["samples"][0]["input"].split() == [number, "1"]
        assert any(step["rule"] == "translate_v1" and step["outcome"] == "changed" for step in row["provenance"])


@pytest.mark.parametrize(
    "script",
    [
        lambda body, number: english(body).replace("⟦1⟧", "⟦9⟧"),
        lambda body, number: english(body).replace("⟦1⟧", "7"),
        lambda body, number: '{"segments": []}',
        lambda body, number: body["messages"][1]["content"],
        lambda body, number: "no",
        lambda body, number: 500,
        lambda body, number: 404,
    ],
)
def test_a_bad_translation_costs_the_translation_and_never_the_row(
    tmp_path: Path, script: Callable[[dict[str, Any], int], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat_client, "FIRST_WAIT_S", 0.01)
    with serving(script) as server:
        found = built(recipe(tmp_path, server.base_url, 3), tmp_path / "out")
    assert len(found) == 3
    for row in found:
        assert row["statement"].startswith("Даны") and row["language"] == "ru" and row["translator"] is None
        (step,) = [step for step in row["provenance"] if step["rule"] == "translate_v1"]
        assert step["outcome"] == "marked" and step["detail"].startswith("not translated from ru: ")


def test_a_resumed_build_asks_again_for_what_a_dead_server_left_open(tmp_path: Path) -> None:
    path = recipe(tmp_path, "http://127.0.0.1:9/v1", attempts=1)
    assert {row["language"] for row in built(path, tmp_path / "out")} == {"ru"}
    with serving(english) as server:
        path = recipe(tmp_path, server.base_url, attempts=1)
        assert {row["language"] for row in built(path, tmp_path / "out", resume=True)} == {"en"}
        built(path, tmp_path / "undisturbed")
    data = published(tmp_path / "out")
    assert {name: data[name] for name in data if name != "manifest.json"} == {
        name: sum_ for name, sum_ in published(tmp_path / "undisturbed").items() if name != "manifest.json"
    }


def test_the_cache_alone_gives_the_same_bytes(tmp_path: Path) -> None:
    cache = str(tmp_path / "answers")
    with serving(english) as server:
        path = recipe(tmp_path, server.base_url, cache=cache, concurrency=7)
        built(path, tmp_path / "one")
        asked = len(server.bodies)
        built(path, tmp_path / "two")
        assert len(server.bodies) == asked == 12
    assert published(tmp_path / "one") == published(tmp_path / "two")


def test_a_killed_build_goes_on_with_the_answers_it_had(tmp_path: Path) -> None:
    def slowly(body: dict[str, Any], number: int) -> str:
        time.sleep(0.1)
        return english(body)

    with serving(slowly) as server:
        path = recipe(tmp_path, server.base_url, 16, concurrency=1)
        command = [sys.executable, "-m", "cli", "data", "build", str(path), "--out", str(tmp_path / "killed")]
        build = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while len(server.bodies) < 6:
            assert build.poll() is None
            time.sleep(0.02)
        build.kill()
        build.wait()
        assert len(built(path, tmp_path / "killed", resume=True)) == 16
        assert 16 <= len(server.bodies) <= 18, "only what was under way is asked twice"
        built(path, tmp_path / "undisturbed")
    assert published(tmp_path / "killed") == published(tmp_path / "undisturbed")


def microcoder(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cli", "data", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=1200, check=False)


def test_a_dry_run_says_what_a_build_will_cost_and_makes_nothing(tmp_path: Path) -> None:
    with serving(english) as server:
        path = recipe(tmp_path, server.base_url)
        told = microcoder("build", path, "--out", tmp_path / "out", "--dry-run")
        assert told.returncode == 0, told.stderr
        assert re.search(r"translate_v1 +12 questions, +0 answered by the cache; +12 calls", told.stdout)
        assert re.search(r"12 calls and at most about [\d,]+ tokens", told.stdout)
        assert not server.bodies and not (tmp_path / "out").exists()
        done = microcoder("build", path, "--out", tmp_path / "out")
        assert done.returncode == 0 and "12 calls" in done.stderr
        told = microcoder("build", path, "--out", tmp_path / "out", "--dry-run")
        assert re.search(r"12 answered by the cache; +0 calls", told.stdout)


def test_without_a_model_rows_wait_and_the_dry_run_says_so(tmp_path: Path) -> None:
    path = recipe(tmp_path, "http://127.0.0.1:9/v1", backend="none")
    assert "No rule" in microcoder("build", path, "--out", tmp_path / "out", "--dry-run").stdout
    assert {row["language"] for row in built(path, tmp_path / "out")} == {"ru"}
