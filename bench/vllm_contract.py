"""Reads the signatures that the trainer needs from the source in a wheel of vLLM, for versions that cannot run here.

    pip download vllm==0.32.0 --no-deps -d wheels && python bench/vllm_contract.py wheels/vllm-0.32.0-*.whl
    python bench/vllm_contract.py WHEEL --write         # accept a new version, after reading what changed

The wheel is read as a zip file, never installed or imported. The record is tests/rl/engines/vllm_contract.json, and
tests/rl/engines/test_vllm_contract.py compares each call of ours with it. For each function and class the record has
the parameters or fields, and a hash of the source: another hash means that the behaviour may have changed.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import re
import sys
import zipfile
from pathlib import Path
from typing import Any

RECORD = Path(__file__).parent.parent / "tests" / "rl" / "engines" / "vllm_contract.json"
NEEDED = {
    "vllm/entrypoints/llm.py": (
        "LLM.__init__", "LLM.sleep", "LLM.wake_up", "LLM.collective_rpc", "LLM.reset_prefix_cache",
    ),
    "vllm/engine/arg_utils.py": ("EngineArgs",),
    "vllm/entrypoints/launchers/cli_args.py": ("FrontendArgs", "BaseFrontendArgs"),
    "vllm/sampling_params.py": ("SamplingParams", "RequestOutputKind"),
    "vllm/v1/engine/llm_engine.py": ("LLMEngine.add_request", "LLMEngine.abort_request", "LLMEngine.step"),
    "vllm/v1/engine/core.py": ("EngineCore.sleep", "EngineCore.wake_up"),
    "vllm/v1/worker/gpu_worker.py": ("Worker.reload_weights", "Worker.sleep", "Worker.wake_up"),
    "vllm/v1/worker/gpu_model_runner.py": ("GPUModelRunner.reload_weights",),
    "vllm/distributed/weight_transfer/base.py": (
        "ParamMeta", "WeightSource", "TrainerInitInfo", "TrainerWeightTransferEngine.send_weights",
    ),
    "vllm/distributed/weight_transfer/clients.py": ("HTTPVLLMWeightSyncClient.__init__",),
    "vllm/distributed/weight_transfer/factory.py": ("WeightTransferTrainerFactory.trainer_init",),
    "vllm/distributed/weight_transfer/ipc_engine.py": ("IPCTrainerInitInfo",),
    "vllm/distributed/weight_transfer/nccl_engine.py": ("NCCLTrainerInitInfo",),
    "vllm/entrypoints/openai/completion/protocol.py": ("CompletionRequest",),
}  # fmt: skip
"""For each file of the wheel, the functions and classes that `microcoder_rl/engines/` uses."""
ROUTES = (
    "/collective_rpc", "/get_world_size", "/reset_prefix_cache", "/server_info", "/v1/completions", "/v1/models",
)  # fmt: skip
MODULES = ("vllm/entrypoints/openai/api_server.py", "vllm/distributed/weight_transfer/__init__.py")
ROUTE = re.compile(r'@router\.(?:get|post)\(\s*"(/[^"]*)"')


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--write", action="store_true", help="write the record instead of comparing with it")
    arguments = parser.parse_args()
    found = read_wheel(arguments.wheel)
    if arguments.write:
        RECORD.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        return
    changes = differences(json.loads(RECORD.read_text(encoding="utf-8")), found)
    print("\n".join(changes) or f"vLLM {found['version']}: all that the trainer needs is as recorded")
    sys.exit(bool(changes))


def read_wheel(path: Path) -> dict[str, Any]:
    """The version, what it requires of torch, the HTTP routes, and the needed functions and classes."""
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
        metadata = next(wheel.read(name).decode() for name in names if name.endswith(".dist-info/METADATA"))
        sources = (wheel.read(n).decode() for n in names if n.startswith("vllm/entrypoints/") and n.endswith(".py"))
        routes = sorted({route for source in sources for route in ROUTE.findall(source)} & set(ROUTES))
        modules = [name for name in MODULES if name in names]
        known: dict[str, Any] = {}
        for file, wanted in NEEDED.items():
            tree = ast.parse(wheel.read(file).decode()) if file in names else ast.Module([], [])
            for name in wanted:
                known[f"{file}:{name}"] = described(tree, name)
    version = re.search(r"^Version: (.+)$", metadata, re.MULTILINE)
    torch = re.search(r"^Requires-Dist: (torch==\S+)$", metadata, re.MULTILINE)
    return {
        "version": version and version[1],
        "torch": torch and torch[1],
        "routes": routes,
        "modules": modules,
        "known": known,
    }


def described(tree: ast.Module, name: str) -> dict[str, Any] | None:
    """The parameters of a function or the fields and methods of a class; None when there is none of this name."""
    node: Any = tree
    for part in name.split("."):
        node = next((each for each in node.body if getattr(each, "name", None) == part), None)
        if node is None:
            return None
    source = hashlib.sha256(ast.unparse(node).encode()).hexdigest()[:16]
    if isinstance(node, ast.ClassDef):
        assigned = [each.targets[0] for each in node.body if isinstance(each, ast.Assign)]
        fields = [each.target for each in node.body if isinstance(each, ast.AnnAssign)] + assigned
        methods = [each.name for each in node.body if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))]
        bases = [ast.unparse(base) for base in node.bases]
        return {"names": [ast.unparse(field) for field in fields] + methods, "bases": bases, "source": source}
    given = node.args
    names = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return {
        "names": [each for each in names if each not in ("self", "cls")],
        "more": bool(given.kwarg),
        "source": source,
    }


def differences(recorded: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """The differences between a wheel and the record, one line each."""
    lines = [f"route {route} is gone" for route in recorded["routes"] if route not in found["routes"]]
    lines += [f"{module} is gone" for module in recorded["modules"] if module not in found["modules"]]
    for name, ours in recorded["known"].items():
        theirs = found["known"].get(name)
        if theirs is None:
            lines += [f"{name} is gone"] if ours else []
        elif ours is None:
            lines.append(f"{name} is new")
        elif gone := [each for each in ours["names"] if each not in theirs["names"]]:
            lines.append(f"{name} has lost {', '.join(gone)}")
        elif ours["source"] != theirs["source"]:
            lines.append(f"{name}: the source has changed; read it again")
    return lines


if __name__ == "__main__":
    main()
