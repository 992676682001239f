"""Reads the signatures that the trainer needs from the source in a wheel of vLLM, for versions that cannot run here.

    pip download vllm==0.32.0 --no-deps -d wheels && python bench/vllm_contract.py wheels/vllm-0.32.0-*.whl
    python bench/vllm_contract.py WHEEL --write         # accept a new version, after reading what changed

The wheel is read as a zip file, never installed or imported. The record is tests/rl/engines/vllm_contract.json, and
tests/rl/engines/test_vllm_contract.py compares each call of ours with it. For each function and class the record has
the parameters or fields, which of them are required, and a hash of the source: another hash means that the behaviour
may have changed. For values and for keys of JSON it has which of our words the source still writes.
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
        "LLM.chat",
    ),
    "vllm/engine/arg_utils.py": ("EngineArgs",),
    "vllm/entrypoints/launchers/cli_args.py": ("FrontendArgs", "BaseFrontendArgs"),
    "vllm/sampling_params.py": ("SamplingParams", "RequestOutputKind", "StructuredOutputsParams"),
    "vllm/inputs/llm.py": ("TokensPrompt",),
    "vllm/outputs.py": ("RequestOutput.__init__", "CompletionOutput"),
    "vllm/logprobs.py": ("FlatLogprobs",),
    "vllm/config/model.py": ("ModelConfig",),
    "vllm/config/weight_transfer.py": ("WeightTransferConfig",),
    "vllm/v1/engine/llm_engine.py": (
        "LLMEngine.__init__", "LLMEngine.add_request", "LLMEngine.abort_request", "LLMEngine.step",
    ),
    "vllm/v1/engine/core_client.py": ("EngineCoreClient.shutdown",),
    "vllm/v1/engine/core.py": ("EngineCore.sleep", "EngineCore.wake_up"),
    "vllm/v1/worker/gpu_worker.py": ("Worker.reload_weights", "Worker.sleep", "Worker.wake_up"),
    # the runner of the CPU build, and the one that GPUs have instead
    "vllm/v1/worker/gpu_model_runner.py": ("GPUModelRunner.reload_weights",),
    "vllm/v1/worker/gpu/model_runner.py": ("GPUModelRunner.reload_weights",),
    "vllm/v1/worker/gpu/sample/sampler.py": ("Sampler.sample",),
    "vllm/v1/worker/gpu/sample/states.py": ("SamplingStates.add_request",),
    "vllm/model_executor/model_loader/reload/inplace.py": ("reload_weights",),
    "vllm/config/vllm.py": (
        "VllmConfig.use_v2_model_runner", "VllmConfig._get_v2_model_runner_unsupported_features",
    ),
    "vllm/distributed/weight_transfer/base.py": (
        "ParamMeta", "WeightSource", "TrainerInitInfo", "TrainerWeightTransferEngine.send_weights",
    ),
    "vllm/distributed/weight_transfer/clients.py": ("HTTPVLLMWeightSyncClient.__init__",),
    "vllm/distributed/weight_transfer/factory.py": ("WeightTransferTrainerFactory.trainer_init",),
    "vllm/distributed/weight_transfer/ipc_engine.py": ("IPCTrainerInitInfo",),
    "vllm/distributed/weight_transfer/nccl_engine.py": ("NCCLTrainerInitInfo",),
    "vllm/entrypoints/openai/completion/protocol.py": (
        "CompletionRequest", "CompletionResponse", "CompletionResponseChoice", "CompletionLogProbs",
    ),
}  # fmt: skip
"""For each file of the wheel, the functions and classes that our engines use."""
WORDS = {
    "vllm/__init__.py": ("LLM", "SamplingParams"),
    "vllm/envs.py": (
        "VLLM_ALLOW_INSECURE_SERIALIZATION", "VLLM_CPU_KVCACHE_SPACE", "VLLM_CPU_OMP_THREADS_BIND",
        "VLLM_ENABLE_V1_MULTIPROCESSING", "VLLM_LOGGING_LEVEL", "VLLM_NO_USAGE_STATS", "VLLM_SERVER_DEV_MODE",
    ),
    "vllm/config/model.py": ("processed_logprobs", "vllm"),
    "vllm/config/parallel.py": ("external_launcher",),
    "vllm/config/weight_transfer.py": ("nccl", "ipc"),
    "vllm/distributed/weight_transfer/__init__.py": (
        "HTTPVLLMWeightSyncClient", "ParamMeta", "WeightSource", "WeightTransferTrainerFactory",
    ),
    "vllm/entrypoints/rl/online/api_router.py": ("world_size",),
    "vllm/entrypoints/serve/dev/cache/api_router.py": ("success",),
    "vllm/entrypoints/serve/dev/rpc/api_router.py": ("method", "kwargs"),
    "vllm/entrypoints/serve/dev/server_info/api_router.py": ("vllm_config", "json"),
    "vllm/entrypoints/serve/instrumentator/metrics.py": ("/metrics",),
    "vllm/v1/engine/__init__.py": ("stop", "length"),
    "vllm/v1/metrics/loggers.py": ("vllm:prompt_tokens", "vllm:generation_tokens"),
    "vllm/v1/worker/gpu_worker.py": ("weights", "kv_cache"),
}  # fmt: skip
"""For each file, the strings that we give or read: variables of the environment, values, keys of JSON, counters."""
ROUTES = (
    "/collective_rpc", "/get_world_size", "/health", "/reset_prefix_cache", "/server_info", "/v1/completions",
    "/v1/models",
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
    """The version, what it requires of torch, the HTTP routes, the needed functions and classes, and the words."""
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
        metadata = next(wheel.read(name).decode() for name in names if name.endswith(".dist-info/METADATA"))
        sources = (wheel.read(n).decode() for n in names if n.startswith("vllm/entrypoints/") and n.endswith(".py"))
        routes = sorted({route for source in sources for route in ROUTE.findall(source)} & set(ROUTES))
        modules = [name for name in MODULES if name in names]
        known: dict[str, Any] = {}
        words: dict[str, list[str]] = {}
        for file in {**NEEDED, **WORDS}:
            tree = ast.parse(wheel.read(file).decode()) if file in names else ast.Module([], [])
            written = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
            words |= {file: [word for word in WORDS[file] if word in written]} if file in WORDS else {}
            known |= {f"{file}:{name}": described(tree, name) for name in NEEDED.get(file, ())}
    version = re.search(r"^Version: (.+)$", metadata, re.MULTILINE)
    torch = re.search(r"^Requires-Dist: (torch==\S+)$", metadata, re.MULTILINE)
    return {
        "version": version and version[1],
        "torch": torch and torch[1],
        "routes": routes,
        "modules": modules,
        "known": known,
        "words": words,
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
        own = [
            each
            for each in node.body
            if isinstance(each, ast.AnnAssign) and "ClassVar" not in ast.dump(each.annotation)
        ]
        fields = [each.target for each in own] + assigned
        required = [ast.unparse(each.target) for each in own if not _has_default(each.value)]
        methods = [each.name for each in node.body if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))]
        bases = [ast.unparse(base) for base in node.bases]
        names = [ast.unparse(field) for field in fields] + methods
        return {"names": names, "required": required, "bases": bases, "source": source}
    given = node.args
    ordered = [*given.posonlyargs, *given.args]
    names = [each.arg for each in (*ordered, *given.kwonlyargs)]
    required = [each.arg for each in ordered[: len(ordered) - len(given.defaults)]]
    required += [each.arg for each, default in zip(given.kwonlyargs, given.kw_defaults, strict=True) if default is None]
    found = {
        "names": [each for each in names if each not in ("self", "cls")],
        "required": [each for each in required if each not in ("self", "cls")],
        "more": bool(given.kwarg),
        "source": source,
    }
    if node.name == "__init__":
        stored = [
            each for each in ast.walk(node) if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store)
        ]
        found["sets"] = sorted({ast.unparse(each).removeprefix("self.") for each in stored})
    return found


def _has_default(value: ast.expr | None) -> bool:
    """Whether a field of a dataclass that is declared with this value may be left out."""
    if isinstance(value, ast.Call) and ast.unparse(value.func) == "field":
        return any(keyword.arg in ("default", "default_factory") for keyword in value.keywords)
    return value is not None


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
        elif gone := [
            each for kind in ("names", "sets") for each in ours.get(kind, ()) if each not in theirs.get(kind, ())
        ]:
            lines.append(f"{name} has lost {', '.join(gone)}")
        elif more := [each for each in theirs["required"] if each not in ours["required"]]:
            lines.append(f"{name} requires {', '.join(more)}")
        elif ours["source"] != theirs["source"]:
            lines.append(f"{name}: the source has changed; read it again")
    for file, ours in recorded["words"].items():
        lines += [f"{file} no longer writes {word!r}" for word in ours if word not in found["words"].get(file, ())]
    return lines


if __name__ == "__main__":
    main()
