"""Polygon packages whose tests are made by their own generators, in the sandbox; hostile ones cost an error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from microcoder_data.packages import polygon_generated
from microcoder_data.packages.files import packages_at
from microcoder_data.packages.sources_of_programs import in_one_file
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.rules import Reject
from microcoder_data.schema import Row
from microcoder_data.sources.polygon import to_row
from microcoder_eval.languages.testlib import NAME as TESTLIB
from tests.data.packages.made_up_packages import write_package
from tests.data.packages.test_polygon import PACKAGE, XML

LIBRARY = """#pragma once
#include <cstdio>
#include <cstdlib>
#include <string>
inline long seed(int argc, char* argv[]) {
    long sum = 0;
    for (int i = 1; i < argc; i++) sum = sum * 7 + atol(argv[i]);
    return sum;
}
"""
GENERATOR = """#include "testlib.h"
int main(int argc, char* argv[]) { srand(seed(argc, argv)); printf("%d %s\\n", rand() % 100, argv[2]); }
"""
VALIDATOR = """#include "testlib.h"
int main() { int a, b; if (scanf("%d %d", &a, &b) != 2 || a < 0 || b > 50) { fprintf(stderr, "FAIL"); return 3; } }
"""
MAIN = """#include <cstdio>
int main() { int a, b; scanf("%d %d", &a, &b); printf("%d\\n", a + b); }
"""
TESTS = """<test method="manual" sample="true"/>
        <test cmd="gen 1 10" method="generated"/>
        <test cmd="gen 2 &quot;20&quot; &gt; $" method="generated"/>"""
PROGRAMS = """<files><executables><executable><source path="files/gen.cpp" type="cpp.g++17"/></executable>
    <executable><source path="files/other.cpp" type="cpp.g++17"/></executable></executables></files>
  <assets><validators><validator><source path="files/val.cpp" type="cpp.g++17"/></validator></validators>"""
OLD_TESTS = XML[XML.index("<test method") : XML.index("</tests>")]


def package(tests: str = TESTS, **files: str | None) -> dict[str, str]:
    """A standard package: no answers, and only the hand-written input."""
    content: dict[str, str | None] = {
        name: text for name, text in PACKAGE.items() if not name.startswith("tests/") or name == "tests/01"
    }
    content |= {
        "problem.xml": XML.replace("<assets>", PROGRAMS).replace(OLD_TESTS, tests),
        "tests/01": "1 2\r\n",
        f"files/{TESTLIB}": LIBRARY,
        "files/gen.cpp": GENERATOR,
        "files/other.cpp": "int main() {}",
        "files/val.cpp": VALIDATOR,
        "solutions/main.cpp": MAIN,
    }
    return {name: text for name, text in {**content, **files}.items() if text is not None}


def row_of(folder: Path, content: dict[str, str], run: bool = True) -> Row:
    ((found),) = packages_at(write_package(folder, content), "sum")
    assert not isinstance(found, tuple)
    return to_row({"package": found}, SourceSpec(source="polygon", path=(str(folder),), run_generators=run))


def made(row: Row) -> list[str]:
    return [test["input"] for test in row["tests"] if test["origin"] == "generated"]


def details(row: Row) -> str:
    return "; ".join(step["detail"] or "" for step in row["provenance"])


def test_a_standard_package_gets_the_tests_of_its_script(tmp_path: Path) -> None:
    row = row_of(tmp_path / "p", package())
    first, second, third = row["tests"]
    assert first["input"] == "1 2\n" and first["output"] == "3\n" and first["public"]
    assert second["input"].endswith(" 10\n") and third["input"].endswith(" 20\n") and not third["public"]
    for test in row["tests"]:
        assert test["origin"] == "generated" and sum(map(int, test["input"].split())) == int(test["output"])
    assert details(row) == "3 tests made by the package's own programs, which its validators took"
    again = row_of(tmp_path / "again", package())
    assert again["tests"] == row["tests"]


def test_a_generator_and_a_validator_in_python(tmp_path: Path) -> None:
    content = package()
    for one in ("gen", "val"):
        content["problem.xml"] = content["problem.xml"].replace(f"files/{one}.cpp", f"files/{one}.py")
    content["files/gen.py"] = (
        "from __future__ import annotations\nimport random, sys\nrandom.seed(sys.argv[1])\n"
        "if __name__ == '__main__':\n    print(random.randint(0, 50), sys.argv[2])\n"
    )
    content["files/val.py"] = "import sys\na, b = map(int, sys.stdin.read().split())\nassert 0 <= a and b <= 50\n"
    row = row_of(tmp_path / "p", content)
    assert [text.split()[1] for text in made(row)] == ["2", "10", "20"]
    assert details(row) == "3 tests made by the package's own programs, which its validators took"
    refused = row_of(tmp_path / "refused", {**content, "files/val.py": "assert False\n"})
    assert not made(refused)


def test_nothing_is_run_unless_the_recipe_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("a program of a package was run")

    monkeypatch.setattr("microcoder_data.sources.polygon.generated_tests", refuse)
    row = row_of(tmp_path / "p", package(), run=False)
    assert [test["origin"] for test in row["tests"]] == ["sample"]
    full = {**PACKAGE, "files/gen.cpp": GENERATOR}
    assert len(row_of(tmp_path / "full", full)["tests"]) == 3, "a full package has nothing to make"


def test_what_the_validator_refuses_is_no_test(tmp_path: Path) -> None:
    tests = TESTS + '<test cmd="gen 3 51" method="generated"/>'
    row = row_of(tmp_path / "p", package(tests))
    assert len(made(row)) == 3 and "1 tests not made: the validator refuses an input" in details(row)


def test_commands_that_name_no_generator_are_missing_by_name(tmp_path: Path) -> None:
    tests = TESTS + (
        '<test cmd="unknown 1" method="generated"/><test method="generated"/>'
        '<test cmd="gen 1 2" from-file="1" method="generated"/><test cmd="gen &quot;1" method="generated"/>'
    )
    row = row_of(tmp_path / "p", package(tests))
    assert len(made(row)) == 3
    for why in ("no generator 'unknown'", "no command", "several files", "split into words"):
        assert why in details(row)


HOSTILE = {
    "fails: TIME_LIMIT": "int main() { for (volatile int i = 0;; i++); }",
    "fails: RUNTIME_ERROR": "int main() { return 1; }",
    "fails: COMPILE_ERROR": "int main( {",
    "another input for the same arguments": '#include <cstdio>\n#include <chrono>\nint main() { printf("%ld 1\\n", '
    "(long)std::chrono::steady_clock::now().time_since_epoch().count() % 1000003); }",
    "prints nothing": '#include <cstdio>\nint main() { FILE* f = fopen("/tmp/escaped", "w"); if (f) fputs("x", f); }',
    "the validator refuses an input": '#include <cstdio>\nint main() { puts("/etc/passwd"); }',
    "prints too much": "#include <cstdio>\nint main() { for (int i = 0; i < 3000; i++) puts(\"1 1\"); }",
    "bytes that are no text": '#include <cstdio>\nint main() { puts("1 1 \\xff"); }',
    "cannot be read: validator_incomplete": '#include "../../../etc/passwd"\nint main() {}',
}  # fmt: skip


def test_a_hostile_generator_costs_its_own_tests_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polygon_generated, "RUN_S", 1.0)
    monkeypatch.setattr(polygon_generated, "TEST_BYTES", 4096)
    tests, named, files = "", "", {}
    for number, code in enumerate(HOSTILE.values()):
        tests += f'<test cmd="bad{number} 1" method="generated"/>'
        named += f'<executable><source path="files/bad{number}.cpp" type="cpp.g++17"/></executable>'
        files[f"files/bad{number}.cpp"] = code
    by_hand, good = TESTS.split("/>", 1)
    content = package(f"{by_hand}/>{tests}{good}", **files)
    content["problem.xml"] = content["problem.xml"].replace("</executables>", f"{named}</executables>")
    row = row_of(tmp_path / "p", content)
    assert len(made(row)) == 3
    missing = [step["detail"] for step in row["provenance"]]
    for why in HOSTILE:
        assert sum(why in one and one.startswith("1 tests not made") for one in missing) == 1, why
    assert not Path("/tmp/escaped").exists()


def test_a_main_solution_that_fails_answers_nothing(tmp_path: Path) -> None:
    row = row_of(tmp_path / "p", package(**{"solutions/main.cpp": "int main() { return 1; }"}))
    assert not made(row) and "3 tests not made: the main solution solutions/main.cpp fails" in details(row)


def test_a_package_has_a_bounded_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polygon_generated, "PACKAGE_S", 0.0)
    assert "3 tests not made: no time is left" in details(row_of(tmp_path / "p", package()))


def test_headers_that_include_each_other_end(tmp_path: Path) -> None:
    files = {
        "files/a.h": '#include "b.h"\n',
        "files/b.h": '#include "a.h"\nint b;\n',
        "files/c.cpp": '#include "a.h"\n',
    }
    (found,) = packages_at(write_package(tmp_path / "p", package(**files)), "sum")
    assert not isinstance(found, tuple)
    assert in_one_file(found, "files/c.cpp").count("int b;") == 1
    many = {f"files/h{n}.h": f'#include "h{n + 1}.h"\n' for n in range(90)}
    many |= {"files/h90.h": "", "files/long.cpp": '#include "h0.h"\n'}
    (found,) = packages_at(write_package(tmp_path / "many", package(**many)), "sum")
    assert not isinstance(found, tuple)
    with pytest.raises(Reject, match="headers"):
        in_one_file(found, "files/long.cpp")
