"""Read data sets of the Hugging Face hub, or any other that `datasets.load_dataset` can load."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from microcoder_data.reading.parts import Part, Record, Scanned
from microcoder_data.reading.specification import SourceSpec
from microcoder_eval import InputError
from microcoder_eval.errors import first_line
from microcoder_eval.hub_reach import why_hub_is_out_of_reach

HUB_ROWS = 5_000
"""The rows of one part."""


def hub_parts(source: int, spec: SourceSpec) -> Scanned:
    """The data set of a source as parts, with its revision or fingerprint as the checksum."""
    dataset = _load_dataset(spec)
    cuts = range(0, len(dataset), HUB_ROWS)
    name = str(spec.dataset)
    parts = tuple(Part(source, name, "hub", cut, min(cut + HUB_ROWS, len(dataset)), cut + 1) for cut in cuts)
    return Scanned(name, 0, str(spec.revision or dataset._fingerprint), parts)


def _load_dataset(spec: SourceSpec) -> Any:
    import datasets

    name = str(spec.dataset)
    why = "" if Path(name).exists() else why_hub_is_out_of_reach()
    try:
        with _without_hub() if why else nullcontext():
            return datasets.load_dataset(name, spec.config, split=spec.split or "train", revision=spec.revision)
    except (ValueError, OSError, RuntimeError, datasets.exceptions.DatasetsError) as error:
        if why:
            why += ". Download it where there is a connection, and name its files with `path` instead of `dataset`"
        raise InputError(f"dataset {name!r} cannot be loaded: {why or first_line(error)}") from None


@contextmanager
def _without_hub() -> Iterator[None]:
    """What is cached is read, and anything else is refused at once."""
    import datasets
    from huggingface_hub import constants

    before = constants.HF_HUB_OFFLINE, datasets.config.HF_HUB_OFFLINE
    constants.HF_HUB_OFFLINE = datasets.config.HF_HUB_OFFLINE = True
    try:
        yield
    finally:
        constants.HF_HUB_OFFLINE, datasets.config.HF_HUB_OFFLINE = before


def hub_records(part: Part, spec: SourceSpec) -> Iterator[Record]:
    """The rows of a part."""
    dataset = _load_dataset(spec)
    for index in range(part.start, part.end):
        yield f"{part.path}:{index + 1}", dataset[index]
