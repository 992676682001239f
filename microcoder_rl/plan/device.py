"""Memory and speed of devices, as their makers declare them."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace

from microcoder_eval import InputError

GB = 10**9
_LEAST_MEMORY = 10**6
"""Less is no GPU's memory: a number without its unit."""
UNITS = {"": 1, "KB": 10**3, "MB": 10**6, "GB": GB, "TB": 10**12, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}


@dataclass(frozen=True)
class Device:
    """One GPU, or the CPU of a machine."""

    name: str
    memory: int
    """Bytes."""
    tflops: float
    """Peak of dense matrix products in bfloat16, in 10^12 operations per second."""
    tflops_fp32: float
    bandwidth: float
    """Memory bandwidth, in GB per second."""
    threads: int = 0
    """Of a CPU; a GPU has none."""

    @property
    def is_cpu(self) -> bool:
        return self.threads > 0


def _gpu(name: str, gib: int, tflops: float, tflops_fp32: float, bandwidth: float) -> Device:
    return Device(name, gib * 2**30, tflops, tflops_fp32, bandwidth)


GPUS = {
    "H100": _gpu("H100", 80, 989, 67, 3350),
    "H200": _gpu("H200", 141, 989, 67, 4800),
    "A100": _gpu("A100", 80, 312, 19.5, 2039),
    "4090": _gpu("4090", 24, 165, 82.6, 1008),
}
CORE_TFLOPS, CORE_TFLOPS_FP32, CPU_BANDWIDTH = 0.4, 0.2, 20
"""Rough peaks of one core, and of the memory, of a server with AVX-512."""


def this_cpu(threads: int) -> Device:
    """This machine's CPU."""
    cores = threads or len(os.sched_getaffinity(0))
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    peaks = cores * CORE_TFLOPS, cores * CORE_TFLOPS_FP32
    return Device(f"CPU ({cores} threads)", memory, *peaks, CPU_BANDWIDTH, cores)


def this_gpu() -> Device | None:
    """This machine's GPU, or None. An unknown model gets an A100's speed."""
    try:
        import torch
    except ImportError:
        return None
    if not torch.cuda.is_available():
        return None
    about = torch.cuda.get_device_properties(0)
    kind = next((device for name, device in GPUS.items() if name in about.name), GPUS["A100"])
    return replace(kind, name=about.name, memory=about.total_memory)


def find_device(name: str) -> Device:
    """A device by its name on the command line. "cpu" is this machine's CPU."""
    if name.lower() == "cpu":
        return this_cpu(0)
    found = GPUS.get(name.upper())
    if found is None:
        raise InputError(f"--gpu: {name!r} is not known; known: {', '.join(GPUS)}, cpu; or describe it with --assume")
    return found


def parse_bytes(text: str) -> int:
    """
    >>> parse_bytes("80GB"), parse_bytes("1.5GiB")
    (80000000000, 1610612736)
    """
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*", text)
    unit = found[2].upper() if found else ""
    if found is None or unit not in UNITS or float(found[1]) * UNITS[unit] < _LEAST_MEMORY:
        raise InputError(f"--gpu-memory: {text!r} is not an amount of memory; write it as 80GB")
    return int(float(found[1]) * UNITS[unit])
