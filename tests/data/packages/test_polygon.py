"""Polygon packages: a Row with the authors' checker and solutions, or a named reject; hostile XML is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from microcoder_data.packages.files import packages_at
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.schema import Row
from microcoder_data.sources.polygon import to_row
from tests.data.packages.made_up_packages import write_package, write_zip

pytestmark = pytest.mark.fast

CHECKER = '#include "testlib.h"\nint main(int argc, char* argv[]) { registerTestlibCmd(argc, argv); quitf(_ok, "ok"); }'
XML = """<?xml version="1.0" encoding="utf-8" standalone="no"?>
<problem revision="3" short-name="sum" url="https://polygon.codeforces.com/p1/x/sum">
  <names><name language="english" value="Sum"/></names>
  <judging input-file="" output-file="">
    <testset name="tests">
      <time-limit>1500</time-limit><memory-limit>268435456</memory-limit><test-count>3</test-count>
      <input-path-pattern>tests/%02d</input-path-pattern><answer-path-pattern>tests/%02d.a</answer-path-pattern>
      <tests>
        <test method="manual" sample="true"/>
        <test cmd="gen 1" method="generated"/>
        <test cmd="gen 2" method="generated"/>
      </tests>
    </testset>
  </judging>
  <assets>
    <checker name="std::ncmp.cpp" type="testlib"><source path="files/check.cpp" type="cpp.g++17"/></checker>
    <solutions>
      <solution tag="main"><source path="solutions/main.cpp" type="cpp.g++17"/></solution>
      <solution tag="wrong-answer"><source path="solutions/wa.py" type="python.3"/></solution>
      <solution tag="time-limit-exceeded-or-accepted"><source path="solutions/slow.py" type="python.2"/></solution>
      <solution tag="do-not-run"><source path="solutions/never.cpp" type="cpp.g++17"/></solution>
    </solutions>
  </assets>
  <tags><tag value="math"/></tags>
</problem>
"""
INTERACTIVE = XML.replace("<solutions>", '<interactor><source path="i.cpp"/></interactor><solutions>')
PACKAGE: dict[str, str] = {
    "problem.xml": XML,
    "statement-sections/russian/legend.tex": "Сложите.",
    "statement-sections/english/legend.tex": "Add two numbers $a$ and $b$.",
    "statement-sections/english/input.tex": "Two integers.",
    "statement-sections/english/output.tex": "Their sum.",
    "statement-sections/english/example.01": "1 2\n",
    "statement-sections/english/example.01.a": "3\n",
    "tests/01": "1 2\n",
    "tests/01.a": "3\n",
    "tests/02": "4 5\n",
    "tests/02.a": "9\n",
    "tests/03": "7 8\n",
    "tests/03.a": "15\n",
    "files/check.cpp": CHECKER,
    "solutions/main.cpp": "int main() {}",
    "solutions/wa.py": "print(1)",
    "solutions/slow.py": "print 1",
    "solutions/never.cpp": "int main() {}",
}


def row_of(path: Path) -> Row:
    (found,) = packages_at(path, "sum")
    if isinstance(found, tuple):
        raise found[1]
    return to_row({"package": found}, SourceSpec(source="polygon", path=(str(path),)))


def changed(**files: str | None) -> dict[str, str]:
    content = {**PACKAGE, **files}
    return {name: text for name, text in content.items() if text is not None}


@pytest.mark.parametrize("zipped", [False, True])
def test_a_full_package_has_its_tests_checker_and_solutions(tmp_path: Path, zipped: bool) -> None:
    row = row_of(write_zip(tmp_path / "sum.zip", dict(PACKAGE)) if zipped else write_package(tmp_path / "p", PACKAGE))
    assert [(test["input"], test["output"], test["public"]) for test in row["tests"]] == [
        ("1 2\n", "3\n", True), ("4 5\n", "9\n", False), ("7 8\n", "15\n", False)
    ]  # fmt: skip
    assert row["title"] == "Sum" and row["time_limit_ms"] == 1500 and row["memory_limit_mb"] == 256
    assert row["statement"].startswith("Add two") and "\\section*{Output}\n\nTheir sum." in row["statement"]
    assert row["checker"]["style"] == "testlib" and row["samples"][0]["output"] == "3\n" and row["tags"] == ["math"]
    assert [(one["language"], one["correct"], one["verdicts"]) for one in row["solutions"]] == [
        ("cpp", True, ["ACCEPTED"]),
        ("python", False, ["WRONG_ANSWER"]),
        ("python2", None, ["TIME_LIMIT", "ACCEPTED"]),
    ]
    assert row["provenance"] == []


def test_a_standard_package_has_its_examples_and_says_what_is_missing(tmp_path: Path) -> None:
    content = {name: text for name, text in PACKAGE.items() if not name.startswith("tests/") or name == "tests/01"}
    row = row_of(write_package(tmp_path / "p", content))
    assert [(test["output"], test["origin"]) for test in row["tests"]] == [("3\n", "sample")]
    assert [one["detail"] for one in row["provenance"]] == ["3 of 3 tests are not in the package with their answers"]


def test_an_older_package_has_its_statement_in_a_file_of_properties(tmp_path: Path) -> None:
    sections = {
        "legend": "Add two numbers.",
        "input": "Two integers.",
        "output": "Their sum.",
        "notes": "",
        "scoring": None,
    }
    texts = {**sections, "sampleTests": [{"input": "1 2\n", "output": "3\n"}, "broken"], "language": "russian"}
    older = {name: text for name, text in PACKAGE.items() if not name.startswith("statement-sections/")}
    older["statements/russian/problem-properties.json"] = json.dumps(texts)
    row = row_of(write_package(tmp_path / "p", older))
    assert row["statement"].startswith("Add two") and "\\section*{Output}\n\nTheir sum." in row["statement"]
    assert [(one["input"], one["output"]) for one in row["samples"]] == [("1 2\n", "3\n")]
    older["statements/russian/problem-properties.json"] = "[" * 100_000
    with pytest.raises(Reject, match="no_statement"):
        row_of(write_package(tmp_path / "broken", older))


def test_an_interactor_that_decides_is_read(tmp_path: Path) -> None:
    files = {"problem.xml": INTERACTIVE, "i.cpp": CHECKER, "statement-sections/english/interaction.tex": "Guess."}
    row = row_of(write_package(tmp_path / "p", changed(**files)))
    assert row["kind"] == "interactive" and row["checker"] is None and row["interactor"]["style"] == "testlib"
    assert len(row["tests"]) == 3 and "\\section*{Interaction}\n\nGuess." in row["statement"]


LAUGHS = '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha">' + "".join(
    f'<!ENTITY a{n} "&a{n - 1 if n else ""};&a{n - 1 if n else ""};">' for n in range(40)
)


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"problem.xml": LAUGHS + "]><problem>&a39;</problem>"}, "xml_entities"),
        (
            {"problem.xml": '<!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/passwd">]><problem>&x;</problem>'},
            "xml_entities",
        ),
        ({"problem.xml": "<problem>" + "<a>" * 200_000}, "broken_xml"),
        ({"problem.xml": "<problem>" + "<a/>" * 200_000 + "</problem>"}, "broken_xml"),
        ({"problem.xml": "<problem"}, "broken_xml"),
        ({"problem.xml": "<project/>"}, "not_a_package"),
        ({"problem.xml": XML.replace("tests/%02d<", "%s%n<")}, "broken_xml"),
        ({"problem.xml": XML.replace("tests/%02d<", "tests/%0999999999d<")}, "broken_xml"),
        ({"problem.xml": XML.replace("tests/%02d<", "../../../../etc/%02d<")}, None),
        ({"problem.xml": XML.replace("files/check.cpp", "../../etc/passwd")}, "no_checker"),
        ({"problem.xml": XML.replace('input-file=""', 'input-file="sum.in"')}, "needs_files"),
        ({"problem.xml": INTERACTIVE}, "no_checker"),
        ({"problem.xml": INTERACTIVE, "i.cpp": 'int main() { tout << "3"; }'}, "interactive_package"),
        ({"problem.xml": INTERACTIVE, "i.cpp": "int main() {}", **{f"tests/0{number}": None for number in (1, 2, 3)}},
         "no_tests"),
        ({"problem.xml": XML.replace('type="testlib"', 'type="other"')}, "unknown_checker"),
        ({"files/check.cpp": '#include "mine.h"\n' + CHECKER}, "validator_incomplete"),
        ({"statement-sections/english/legend.tex": None, "statement-sections/russian/legend.tex": None},
         "no_statement"),
    ],
)  # fmt: skip
def test_hostile_and_unusable_packages_are_named_rejects(
    tmp_path: Path, files: dict[str, Any], reason: str | None
) -> None:
    folder = write_package(tmp_path / "p", changed(**files))
    if reason is None:  # names outside the package are no files of it
        assert [test["origin"] for test in row_of(folder)["tests"]] == ["sample"]
        return
    with pytest.raises(Reject) as rejected:
        row_of(folder)
    assert rejected.value.reason == reason


def test_entities_are_refused_in_any_encoding(tmp_path: Path) -> None:
    folder = write_package(tmp_path / "p", PACKAGE)
    text = '<?xml version="1.0" encoding="utf-16"?><!DOCTYPE p [<!ENTITY a "x">]><problem>&a;</problem>'
    (folder / "problem.xml").write_bytes(text.encode("utf-16"))
    with pytest.raises(Reject) as rejected:
        row_of(folder)
    assert rejected.value.reason == "xml_entities"


def test_a_link_out_of_the_package_is_never_read(tmp_path: Path) -> None:
    folder = write_package(tmp_path / "p", PACKAGE)
    (folder / "tests/02").unlink()
    (folder / "tests/02").symlink_to("/etc/passwd")
    row = row_of(folder)
    assert len(row["tests"]) == 2 and "root:" not in str(row)
