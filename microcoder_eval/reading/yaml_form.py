"""YAML in which a person writes problems or replies: JSON's values without its quotes.

The pipeline reads its own recipes and contest packages with all that YAML has (`microcoder_data.bounded_yaml`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

LONGEST_YAML = 1 << 26
"""The most bytes of YAML that are read: it takes about a hundred times as much memory."""
DEEPEST = 100


def fault_at(error: Exception) -> str:
    """What a `yaml.YAMLError` says, in one line, with the place in the text.

    >>> import yaml
    >>> try: yaml.safe_load("a: b: c")
    ... except yaml.YAMLError as error: fault_at(error)
    'mapping values are not allowed here, line 1, column 5'
    """
    mark = getattr(error, "problem_mark", None)
    if mark is None:
        return " ".join(str(error).split())
    said = (getattr(error, name, None) for name in ("context", "problem"))
    return f"{' '.join(filter(None, said))}, line {mark.line + 1}, column {mark.column + 1}"


def read_yaml(text: bytes) -> Any:
    """The value of YAML; several documents are a list. Only JSON's own words are more than text: `no` is a text.

    A `ValueError` says what is wrong. Aliases are refused: a few lines of them stand for more than any memory holds.
    So are tags, whose values may not be JSON's, and depth, on which libyaml's own recursion ends the process.

    >>> read_yaml(b"- id: two-sum\\n  answer: no\\n  due: 2024-01-02\\n  limit: 2.5")
    [{'id': 'two-sum', 'answer': 'no', 'due': '2024-01-02', 'limit': 2.5}]
    """
    import yaml

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        yaml_implicit_resolvers: Mapping[str, Any] = {}

    for kind, pattern, first in (
        ("null", r"null|~|", ("n", "~", "")),
        ("bool", r"true|false", "tf"),
        ("int", r"-?(0|[1-9]\d{0,999})", "-0123456789"),
        ("float", r"-?(0|[1-9]\d{0,999})(\.\d+([eE][-+]?\d+)?|[eE][-+]?\d+)", "-0123456789"),
        ("merge", r"<<", "<"),
    ):
        Loader.add_implicit_resolver(f"tag:yaml.org,2002:{kind}", re.compile(rf"(?:{pattern})\Z"), list(first))
    try:
        depth = 0
        for event in yaml.parse(text, Loader=Loader):
            if isinstance(event, yaml.AliasEvent):
                raise ValueError("an alias (`*name`): write its value out")
            tag = getattr(event, "tag", None)
            if tag not in (None, "!"):
                raise ValueError(f"a tag ({tag}): leave it out")
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > DEEPEST:
                raise ValueError(f"nested more than {DEEPEST} levels deep")
        documents = [each for each in yaml.load_all(text, Loader=Loader) if each is not None]
    except yaml.YAMLError as error:
        raise ValueError(fault_at(error)) from None
    return documents[0] if len(documents) == 1 else documents
