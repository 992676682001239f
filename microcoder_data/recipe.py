"""A dataset's recipe: sources and the settings of every rule, read from YAML. An unknown key is an error."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import shorten
from typing import Any

import pyarrow as pa
from yaml import YAMLError

from microcoder_data import bounded_yaml
from microcoder_data.compare.settings import Compare
from microcoder_data.config import from_mapping
from microcoder_data.filter import Filter
from microcoder_data.llm.settings import Llm
from microcoder_data.process import Process
from microcoder_data.reading.specification import SourceSpec
from microcoder_data.schema import WORK
from microcoder_data.shipped import find_recipe
from microcoder_data.sources import adapter, generic
from microcoder_data.verify import Verify
from microcoder_data.verify.grader_place import GraderPlace
from microcoder_eval import InputError
from microcoder_eval.suggest import did_you_mean, pasted, why_absent


@dataclass(frozen=True)
class Recipe:
    """What to build. Every part has defaults; `false` switches a rule off."""

    name: str
    """The dataset's name."""
    sources: tuple[SourceSpec, ...]
    """What is read. Of two duplicates the one from the earlier source is kept."""
    process: Process = field(default_factory=Process)
    filter: Filter = field(default_factory=Filter)
    compare: Compare = field(default_factory=Compare)
    verify: Verify = field(default_factory=Verify)
    llm: Llm = field(default_factory=Llm)
    """The language model behind `process.translate`, `filter.readability` and `filter.difficulty`."""
    grader: GraderPlace = field(default_factory=GraderPlace)
    """Where `verify.execution` and `verify.make_tests` run programs. It changes no row."""
    part_bytes: int = 8 << 20
    """About how much one worker reads at a time; it decides where shards are cut, so it changes file names."""

    def __post_init__(self) -> None:
        if not self.sources:
            raise InputError("sources: at least one is needed")
        if self.verify.attempts is not None and self.llm.backend == "none":
            raise InputError("verify.attempts needs a model: set llm.backend and llm.model")
        if self.part_bytes < 1:
            raise InputError("part_bytes must be positive")


def load_recipe(path: str | Path) -> Recipe:
    """Read and check a recipe file.

    >>> load_recipe("pipelines/data/quick.yaml").name  # doctest: +SKIP
    'example'
    """
    file = find_recipe(Path(path))
    of_records = file.suffix not in (".yaml", ".yml")
    way_out = f"; if it holds records: microcoder data init {pasted(file)}" if of_records else ""
    try:
        mapping = bounded_yaml.parsed(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{file}: {why_absent(file, 'recipe')}") from None
    except IsADirectoryError:
        raise InputError(f"{file}: a folder, not a recipe: name the file, such as recipe.yaml") from None
    except UnicodeDecodeError:
        raise InputError(f"{file}: not text, so no recipe{way_out}") from None
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from None
    except YAMLError as error:
        raise InputError(f"{file}: not YAML: {shorten(str(error), 120 if of_records else 600)}{way_out}") from None
    if not isinstance(mapping, dict):
        raise InputError(f"{file}: a recipe is a mapping with name and sources{way_out}")
    if "sources" not in mapping and {"model", "rollout", "algorithm", "extends"} & mapping.keys():
        raise InputError(f"{file}: a recipe that trains a model, which `microcoder train run` takes")
    recipe = from_mapping(Recipe, {"name": file.stem, **mapping}, str(file))
    check_sources(recipe.sources, f"{file}: sources")
    check_sources(tuple(item.source for item in recipe.compare.benchmarks), f"{file}: compare.benchmarks")
    return recipe


def check_sources(sources: tuple[SourceSpec, ...], where: str) -> None:
    """Refuse unknown adapters and fields before anything is read."""
    for index, spec in enumerate(sources):
        place = f"{where}[{index}]"
        try:
            adapter(spec.source)
        except InputError as error:
            raise InputError(f"{place}: {error}") from None
        if spec.fields and spec.source != "generic":
            raise InputError(f"{place}: `fields` is only for the source generic: {spec.source} has its own columns")
        generic.check_fields(spec, place)
        for name, value in spec.constants.items():
            if name not in WORK.names:
                hint = did_you_mean(name, WORK.names, or_list=True)
                raise InputError(f"{place}: constants: unknown column {name!r}{hint}")
            try:
                pa.scalar(value, type=WORK.field(name).type)
            except (TypeError, ValueError, OverflowError):
                raise InputError(f"{place}: constants.{name}: {value!r} does not fit this column") from None


def digest(value: Any) -> str:
    """The hash of a plain value, the same in every process."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
