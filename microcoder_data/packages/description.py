"""Read problem.yaml of any version, and the files with limits that judges' tools add (.timelimit, the .ini)."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from microcoder_data.packages.files import Package, read_yaml
from microcoder_data.rules import Reject

DEFAULT_MEMORY_MB = 2048
"""The limit that the format's own judges use when a package names none."""
LEGACY_MULTIPLIER, MULTIPLIER = 5.0, 2.0
"""The time multiplier of packages that name none: in the legacy format, and in the newer ones."""
MAX_MULTIPLIER = 100.0


@dataclass(frozen=True)
class Description:
    """The part of problem.yaml that matters for grading and for the row."""

    names: Mapping[str, str]
    """The title by language; a title without a language is under the empty name."""
    types: frozenset[str]
    """pass-fail, scoring, interactive, multi-pass, submit-answer; custom and score describe the output validator."""
    flags: tuple[str, ...] = ()
    """The output validator's flags for all tests."""
    time_limit_s: Any = None
    time_multiplier: float = LEGACY_MULTIPLIER
    """For a package without a time limit: the limit is this many times the time of its slowest accepted submission."""
    memory_mb: Any = DEFAULT_MEMORY_MB
    license: str | None = None
    source: str | None = None
    url: str | None = None
    keywords: tuple[str, ...] = ()
    constants: Mapping[str, str] = field(default_factory=dict)
    grading: Mapping[str, Any] = field(default_factory=dict)


def describe(package: Package) -> Description:
    """Read the description; raises a Reject when it cannot be used."""
    content = read_yaml(package, "problem.yaml" if "problem.yaml" in package.sizes else "problem.yml")
    ini = _ini(package)
    limits = _mapping(content.get("limits"))
    name = content.get("name") or ini.get("name")
    names = name if isinstance(name, Mapping) else {"": name} if name else {}
    source = content.get("source")
    first = source[0] if isinstance(source, list) and source else source
    found = first if isinstance(first, Mapping) else {"name": first}
    legacy = str(content.get("problem_format_version") or "legacy").startswith("legacy")
    return Description(
        names={str(key): str(value) for key, value in names.items() if isinstance(value, (str, int, float))},
        types=frozenset(_types(package, content, legacy)),
        flags=words(content.get("validator_flags", content.get("output_validator_flags"))),
        time_limit_s=limits.get("time_limit") or _timelimit(package) or ini.get("timelimit"),
        time_multiplier=_multiplier(limits, legacy),
        memory_mb=limits.get("memory") or ini.get("memory") or DEFAULT_MEMORY_MB,
        license=_text(content.get("license")),
        source=_text(found.get("name")),
        url=_own_address(_text(found.get("url")) or _text(content.get("source_url")), package.name),
        keywords=_keywords(content.get("keywords")),
        constants={str(key): _constant(value) for key, value in _mapping(content.get("constants")).items()},
        grading=_mapping(content.get("grading")),
    )


def _own_address(address: str | None, name: str) -> str | None:
    """The address, unless it is that of the contest, which all of its problems share: it must end in the slug.

    >>> _own_address("https://a.org/problems/sum", "round1/sum"), _own_address("https://a.org/round1", "round1/sum")
    ('https://a.org/problems/sum', None)
    """
    return address if address and address.rstrip("/").rpartition("/")[2] == posixpath.basename(name) else None


def _types(package: Package, content: Mapping[str, Any], legacy: bool) -> set[str]:
    found = set(words(content.get("type"))) or {"pass-fail"}
    validation = set(words(content.get("validation")))
    if "custom" in validation or (not legacy and package.names("output_validator")):
        found |= (validation | {"custom"}) - {"default"}
    if not legacy and not validation and package.names("output_validators"):
        found.add("custom")
    if "multipass" in found:
        found.add("multi-pass")
    return found


def words(value: Any) -> tuple[str, ...]:
    """Flags or types: a list, or words in one text.

    >>> words("float_tolerance 1e-6"), words(["float_tolerance", 1e-06])
    (('float_tolerance', '1e-6'), ('float_tolerance', '1e-06'))
    """
    if isinstance(value, (list, tuple)):
        return tuple(str(item) for item in value if isinstance(item, (str, int, float)))
    if value is None or isinstance(value, Mapping):
        return ()
    try:
        return tuple(shlex.split(str(value)))
    except ValueError:
        raise Reject("broken_yaml", f"flags with an open quote: {value!r}") from None


def fill_constants(text: str, constants: Mapping[str, str]) -> str:
    """The text with the package's constants in place of `{{name}}` and TeX's `\\constant{name}`."""
    if not constants:
        return text
    return re.sub(
        r"\{\{([\w.]+)\}\}|\\constant\{([\w.]+)\}", lambda match: constants.get(match[1] or match[2], match[0]), text
    )


def _timelimit(package: Package) -> str | None:
    return package.text(".timelimit").strip() or None if ".timelimit" in package.sizes else None


def _multiplier(limits: Mapping[str, Any], legacy: bool) -> float:
    """`time_multiplier` of the legacy format, `time_multipliers: {ac_to_time_limit}` of the newer ones."""
    given = _mapping(limits.get("time_multipliers")).get("ac_to_time_limit", limits.get("time_multiplier"))
    if isinstance(given, (int, float)) and 1 <= given <= MAX_MULTIPLIER:
        return float(given)
    return LEGACY_MULTIPLIER if legacy else MULTIPLIER


def _ini(package: Package) -> dict[str, str]:
    """domjudge-problem.ini: `key = 'value'` lines."""
    if "domjudge-problem.ini" not in package.sizes:
        return {}
    pairs = re.findall(r"^\s*(\w+)\s*=\s*(.*?)\s*$", package.text("domjudge-problem.ini"), re.MULTILINE)
    return {key.lower(): value.strip("'\"") for key, value in pairs}


def _keywords(value: Any) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(str(item) for item in value if isinstance(item, (str, int)))
    return tuple(re.split(r"[,\s]+", str(value).strip())) if value else ()


def _constant(value: Any) -> str:
    value = value.get("value") if isinstance(value, Mapping) else value
    return str(value) if isinstance(value, (str, int, float)) else ""


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: Any) -> str | None:
    return str(value).strip() or None if isinstance(value, (str, int, float)) else None
