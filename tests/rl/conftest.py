"""Fixtures of the trainer's tests: small real models and the toy, made once. The functions are in toys.py."""

from __future__ import annotations

import importlib.util

import pytest

from tests.rl.toys import small_model, write_public_tasks, write_toy


@pytest.fixture(scope="session", autouse=True)
def one_thread():
    if importlib.util.find_spec("torch"):  # recipes are checked without it
        import torch

        torch.set_num_threads(1)


@pytest.fixture(scope="session")
def qwen3():
    return small_model("qwen3")


@pytest.fixture(scope="session", params=["qwen3", "qwen2", "llama", "gpt2"])
def any_model(request):
    return small_model(request.param)


@pytest.fixture(scope="session")
def toy(tmp_path_factory):
    """The toy's folder."""
    folder = tmp_path_factory.mktemp("toy")
    write_toy(folder)
    return folder


@pytest.fixture(scope="session")
def public_toy(toy, tmp_path_factory):
    """The toy's tasks with a public and a hidden test each."""
    path = tmp_path_factory.mktemp("public") / "tasks.jsonl"
    write_public_tasks(toy, path)
    return path
