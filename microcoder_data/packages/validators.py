"""The output validator of a package as a checker: its own, or the format's default one with its flags."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from typing import Any

from microcoder_data.packages.description import Description, fill_constants
from microcoder_data.packages.files import Package
from microcoder_data.packages.languages import language_of, main_of
from microcoder_data.packages.testlib_programs import PROVIDED_HEADERS, QUOTED_INCLUDE
from microcoder_data.rules import Reject
from microcoder_data.schema import new_checker
from microcoder_eval import Checker, InputError

MAX_VALIDATOR_BYTES = 4 << 20
_EXIT = re.compile(r"(?<![\w.])4[23](?![\w.])")


def checker_of(package: Package, description: Description, flags: tuple[str, ...]) -> dict[str, Any]:
    """The checker of a package: its own validator, else the format's default one with these flags."""
    if "custom" not in description.types and "interactive" not in description.types:
        return default_checker(flags)
    language, code, files = _validator(package, description)
    return new_checker(language, style="kattis", code=code, files=files, flags=list(flags))


def default_checker(flags: tuple[str, ...]) -> dict[str, Any]:
    """The format's default output validator with these flags, as the column `checker`.

    >>> default_checker(("float_tolerance", "1e-4"))["kind"]
    'kattis_default'
    """
    try:
        Checker.from_dict({"kind": "kattis_default", "flags": flags})
    except InputError as error:
        raise Reject("broken_validator_flags", str(error)) from None
    return new_checker("kattis_default", flags=list(flags))


def _validator(package: Package, description: Description) -> tuple[str, str, list[dict[str, str]]]:
    """The package's own validator: its language, main source and other files."""
    folder = "output_validator" if package.names("output_validator") else "output_validators"
    names = [name for name in package.names(folder) if not posixpath.basename(name).startswith(".")]
    programs = _programs(names, folder)
    if folder == "output_validator" or not any("/" in name[len(folder) + 1 :] for name in names):
        # loose files are one program if only one of them is a source, or if the format allows only one program
        sources = [name for name in names if language_of(name)]
        programs = {folder: names} if folder == "output_validator" or len(sources) == 1 else programs
    programs = {name: files for name, files in programs.items() if any(map(language_of, files))}
    if not programs:
        raise Reject("no_validator", "the package says custom but brings no output validator")
    if len(programs) > 1:
        raise Reject("several_validators", ", ".join(sorted(programs)))
    ((_, members),) = programs.items()
    if any(posixpath.basename(name) in ("build", "run") for name in members):
        raise Reject("validator_needs_build", "the validator brings its own build or run script")
    if sum(package.sizes[name] for name in members) > MAX_VALIDATOR_BYTES:
        raise Reject("file_too_large", f"the validator is over {MAX_VALIDATOR_BYTES >> 20} MB")
    top = posixpath.commonpath(members) if len(members) > 1 else posixpath.dirname(members[0])
    texts = {
        posixpath.relpath(name, top): fill_constants(package.text(name), description.constants)
        for name in members
        if language_of(name) or name.endswith((".h", ".hpp", ".hh", ".txt", ".inc"))
    }
    main, language = main_of(texts)
    if language not in ("cpp", "python"):
        raise Reject("validator_language", f"{main} is {language}, not C++ or Python")
    _refuse_missing_includes(texts, main)
    _refuse_other_exits(texts, main, language)
    return language, texts.pop(main), [{"name": name, "text": text} for name, text in sorted(texts.items())]


def _refuse_missing_includes(texts: Mapping[str, str], main: str) -> None:
    known = {posixpath.basename(name) for name in texts}
    for included in QUOTED_INCLUDE.findall(texts[main]):
        if posixpath.basename(included) not in known and included not in PROVIDED_HEADERS:
            raise Reject("validator_incomplete", f"{main} includes {included}, which is not in the package")


def _refuse_other_exits(texts: Mapping[str, str], main: str, language: str) -> None:
    """Refuse a validator that cannot end with the format's exit codes: no output would ever be judged.

    Some archives ship their site's own judges, which end with 0 and 1.
    """
    includes = QUOTED_INCLUDE.findall(texts[main]) if language == "cpp" else []
    if not any(included in PROVIDED_HEADERS for included in includes) and not any(map(_EXIT.search, texts.values())):
        raise Reject("validator_protocol", f"{main} never ends with 42 or 43, the exit codes of the format")


def _programs(names: list[str], folder: str) -> dict[str, list[str]]:
    """The files of each program, by name: a file of its own, or all files of a folder."""
    programs: dict[str, list[str]] = {}
    for name in names:
        programs.setdefault(name[len(folder) + 1 :].split("/")[0], []).append(name)
    return programs
