"""The calls that need GPUs, against what vLLM's wheel and torch declare. Nothing of vLLM is imported.

`bench/vllm_contract.py` reads a wheel into vllm_contract.json; a failure here says which of our arguments it lacks.
"""

from __future__ import annotations

import ast
import importlib.util
import inspect
import json
import pkgutil
import re
import sys
import zipfile
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from microcoder_rl.engines.server_client import PROGRESS  # noqa: E402
from microcoder_rl.recipe.vllm import METHODS  # noqa: E402

RECORD = json.loads((Path(__file__).parent / "vllm_contract.json").read_text())
ENGINES = Path("microcoder_rl/engines")
SOURCE = {path.name: path.read_text() for path in ENGINES.glob("*.py")}
KNOWN = {name.partition(":")[2]: about for name, about in RECORD["known"].items()}


def names(*which):
    return {each for name in which for each in KNOWN[name]["names"]}


def calls(file, called):
    """The calls of a function or method of this name in one of our files."""
    tree = ast.parse(SOURCE.get(file) or Path(file).read_text())
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [node for node in found if getattr(node.func, "attr", getattr(node.func, "id", "")) == called]


def keywords(file, called):
    found = calls(file, called)
    assert found, f"{file} does not call {called}"
    return {keyword.arg for call in found for keyword in call.keywords if keyword.arg}


def words(file):
    return set(RECORD["words"][f"vllm/{file}"])


def test_everything_that_is_needed_is_there(contract):
    assert [name for name, about in RECORD["known"].items() if about is None] == []
    assert (len(RECORD["modules"]), RECORD["routes"]) == (2, sorted(contract.ROUTES))
    assert RECORD["words"] == {file: list(wanted) for file, wanted in contract.WORDS.items()}


def test_only_the_version_of_the_record_is_installed():
    """A newer one is allowed after it was read: vLLM 0.33 took methods away that `weight_transfer.py` implements."""
    major, minor, _ = map(int, RECORD["version"].split("."))
    assert f'vllm = ["vllm>={major}.{minor},<{major}.{minor + 1}"]' in Path("pyproject.toml").read_text()


@pytest.mark.parametrize(
    ("file", "called", "declared"),
    [
        ("vllm_engine.py", "llm", ("LLM.__init__", "EngineArgs")),
        ("vllm_engine.py", "SamplingParams", ("SamplingParams",)),
        ("vllm_engine.py", "sleep", ("LLM.sleep",)),
        ("vllm_engine.py", "wake_up", ("LLM.wake_up",)),
        ("vllm_engine.py", "collective_rpc", ("LLM.collective_rpc",)),
        ("vllm_engine.py", "reset_prefix_cache", ("LLM.reset_prefix_cache",)),
        ("vllm_engine.py", "step", ("LLMEngine.step",)),
        ("vllm_engine.py", "shutdown", ("EngineCoreClient.shutdown",)),
        ("vllm_engine.py", "add_request", ("LLMEngine.add_request",)),
        ("vllm_engine.py", "abort_request", ("LLMEngine.abort_request",)),
        ("microcoder_data/llm/vllm_engine.py", "chat", ("LLM.chat",)),
        ("microcoder_data/llm/vllm_engine.py", "SamplingParams", ("SamplingParams",)),
        ("microcoder_data/llm/vllm_engine.py", "StructuredOutputsParams", ("StructuredOutputsParams",)),
        ("weight_transfer.py", "IPCTrainerInitInfo", ("IPCTrainerInitInfo", "TrainerInitInfo")),
        ("weight_transfer.py", "NCCLTrainerInitInfo", ("NCCLTrainerInitInfo", "TrainerInitInfo")),
        ("weight_transfer.py", "HTTPVLLMWeightSyncClient", ("HTTPVLLMWeightSyncClient.__init__",)),
        ("weight_transfer.py", "trainer_init", ("WeightTransferTrainerFactory.trainer_init",)),
    ],
)
def test_our_arguments_are_declared_and_none_is_missing(file, called, declared):
    assert keywords(file, called) <= names(*declared)
    required = {each for name in declared for each in KNOWN[name]["required"]}
    for call in calls(file, called):
        in_order = KNOWN[declared[0]]["names"][: len(call.args)]
        assert required <= {*in_order, *(keyword.arg for keyword in call.keywords)}


def test_positional_arguments_stand_where_they_are_declared():
    (request,) = calls("vllm_engine.py", "add_request")
    assert len(request.args) == 3 and KNOWN["LLMEngine.add_request"]["names"][:3] == ["request_id", "prompt", "params"]
    assert KNOWN["ParamMeta"]["names"][:3] == ["name", "dtype", "shape"]
    assert KNOWN["NCCLTrainerInitInfo"]["names"][:2] == ["master_address", "master_port"]
    assert {"metadata", "__iter__"} <= names("WeightSource") and "rank" in names("TrainerInitInfo")
    assert "FINAL_ONLY" in names("RequestOutputKind")
    assert KNOWN["LLMEngine.abort_request"]["names"][:1] == ["request_ids"]
    assert KNOWN["LLM.collective_rpc"]["names"][:1] == ["method"]
    (send,) = calls("server_engine.py", "send_weights")
    assert not send.args and not send.keywords
    assert KNOWN["TrainerWeightTransferEngine.send_weights"]["names"] == []


def test_weights_are_replaced_with_declared_arguments():
    source = SOURCE["vllm_engine.py"] + SOURCE["server_engine.py"]
    given = set(re.findall(r'"(weights_\w+)":', source))
    assert given == {"weights_iterator", "weights_path"}
    for runner in ("gpu_model_runner.py", "gpu/model_runner.py"):
        assert given <= set(RECORD["known"][f"vllm/v1/worker/{runner}:GPUModelRunner.reload_weights"]["names"])


def test_what_is_read_of_vllms_objects_is_declared():
    source = SOURCE["vllm_engine.py"]
    assert "llm_engine" in KNOWN["LLM.__init__"]["sets"] and "self.llm.llm_engine" in source
    assert "engine_core" in KNOWN["LLMEngine.__init__"]["sets"] and ".engine_core.shutdown()" in source
    assert set(re.findall(r'\{"(\w+)": list\(request', source)) == {"prompt_token_ids"} <= names("TokensPrompt")
    read = set(re.findall(r"\boutput\.(\w+)", source))
    assert len(read) == 6 and read <= set(KNOWN["RequestOutput.__init__"]["sets"]) | names("CompletionOutput")
    assert "output.logprobs.logprobs" in source and "logprobs" in names("FlatLogprobs")


def test_variables_values_and_imported_names_are_those_of_the_source():
    source = "".join(SOURCE.values())
    assert set(re.findall(r'"(VLLM_\w+)"', source)) == words("envs.py")
    assert set(re.findall(r'tags=\["(\w+)"\]', source)) == words("v1/worker/gpu_worker.py")
    assert set(re.findall(r'executor_backend="(\w+)"', source)) == words("config/parallel.py")
    given = set(re.findall(r'(?:logprobs_mode=|logprobs-mode": |generation-config": )"(\w+)"', source))
    assert given == words("config/model.py")
    assert "backend" in names("WeightTransferConfig")
    assert words("config/weight_transfer.py") < set(METHODS)
    assert set(re.findall(r'finish_reason"?\]? == "(\w+)"', source)) <= words("v1/engine/__init__.py")
    imported = [node for node in ast.walk(ast.parse(SOURCE["weight_transfer.py"])) if isinstance(node, ast.ImportFrom)]
    found = next(node.names for node in imported if node.module == "vllm.distributed.weight_transfer")
    assert {each.name for each in found} == words("distributed/weight_transfer/__init__.py")


def test_the_servers_options_routes_and_answers_are_declared():
    source = SOURCE["server_process.py"]
    block = source[source.index("options = {") : source.index("command = [")]
    options = {each.replace("-", "_") for each in re.findall(r'"([a-z-]+)"(?::|\] =)', block)} | {
        "enforce_eager",
        "enable_chunked_prefill",
    }
    options -= {"backend"}  # a value
    assert len(options) > 10
    assert options <= names("EngineArgs", "FrontendArgs", "BaseFrontendArgs")
    body = SOURCE["server_engine.py"]
    body = body[body.index("def _body") : body.index("def _refuse_raw")]
    assert set(re.findall(r'"(\w+)":', body)) <= names("CompletionRequest")
    source = SOURCE["server_engine.py"] + SOURCE["server_client.py"] + SOURCE["server_process.py"]
    used = set(re.findall(r'(?:"|self\.url\})(/[a-z_/0-9]+)', source))
    assert len(used) == 8 and used <= {*RECORD["routes"], *words("entrypoints/serve/instrumentator/metrics.py")}
    choice = set(re.findall(r'choice\["(\w+)"\]', source))
    assert {"choices"} <= names("CompletionResponse") and choice <= names("CompletionResponseChoice")
    assert '["token_logprobs"]' in source and "token_logprobs" in names("CompletionLogProbs")
    assert {"logprobs_mode"} <= names("ModelConfig") and '.get("logprobs_mode")' in source
    for file in ("rl/online", "serve/dev/cache", "serve/dev/rpc", "serve/dev/server_info"):
        read = words(f"entrypoints/{file}/api_router.py")
        assert all(f'"{word}"' in source or f"={word}" in source for word in read), read


def test_the_servers_counters_are_those_that_show_progress():
    for counter in words("v1/metrics/loggers.py"):
        assert PROGRESS.findall(f'# HELP {counter}_total\n{counter}_total{{model_name="policy"}} 12.0\n') == ["12.0"]


def test_every_name_of_torch_that_is_used_exists():
    """Also what only GPUs reach: `torch.cuda`, NCCL's group, and FSDP2."""
    missing, found = [], set()
    for path in Path("microcoder_rl").rglob("*.py"):
        tree = ast.parse(path.read_text())
        modules = {"torch": "torch"}
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                modules |= {each.asname: each.name for each in node.names if each.asname}
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "torch":
                found |= {f"{node.module}.{each.name}" for each in node.names}
        modules = {short: name for short, name in modules.items() if name.split(".")[0] == "torch"}
        for node in ast.walk(tree):
            first, _, more = ast.unparse(node).partition(".") if isinstance(node, ast.Attribute) else ("", "", "")
            if first in modules and re.fullmatch(r"[\w.]+", more):
                found.add(f"{modules[first]}.{more}")
    for name in found:
        try:
            pkgutil.resolve_name(name)
        except (ImportError, AttributeError):
            missing.append(name)
    assert missing == [] and {"torch.cuda.empty_cache", "torch.distributed.fsdp.fully_shard"} <= found


def test_a_recording_is_made_as_torch_makes_it():
    """With the options that `recording.py` gives. The pool of a graph that is gone must not be used again."""
    assert {"pool", "capture_error_mode"} <= set(inspect.signature(torch.cuda.CUDAGraph.capture_begin).parameters)
    assert {"capture_end", "replay"} <= set(dir(torch.cuda.CUDAGraph)) and callable(torch.cuda.graph_pool_handle)


def test_a_group_for_gpus_names_backends_that_torch_knows():
    source = Path("microcoder_rl/distributed.py").read_text()
    (backends,) = re.findall(r'"(cpu:gloo,\S+)"', source)
    known = torch.distributed.distributed_c10d.BackendConfig(
        torch.distributed.Backend(backends)
    ).get_device_backend_map()
    assert known == {"cpu": "gloo", "cuda": "nccl"}


def test_fsdp2_has_what_sharding_calls():
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
    from torch.distributed.tensor import DTensor

    assert {"mesh", "mp_policy"} <= set(inspect.signature(fully_shard).parameters)
    assert {"param_dtype", "reduce_dtype"} <= set(inspect.signature(MixedPrecisionPolicy).parameters)
    assert list(inspect.signature(init_device_mesh).parameters)[:2] == ["device_type", "mesh_shape"]
    assert callable(DTensor.full_tensor) and "placements" in inspect.signature(DTensor.redistribute).parameters


def test_fsdp2_moves_one_layer_after_the_other_to_the_gpu_and_keeps_a_copy_of_a_ranks_part():
    """So `divide` may leave the model on the host, and no GPU ever holds all of it."""
    from torch.distributed.fsdp._fully_shard import _fsdp_init, _fsdp_param, _fully_shard

    assert "_get_modules_and_states(\n        module, device," in inspect.getsource(_fully_shard.fully_shard)
    moving = inspect.getsource(_fsdp_init._get_modules_and_states)
    assert "_move_states_to_device(params, buffers, device)" in moving
    keeping = inspect.getsource(_fsdp_param.FSDPParam._init_sharded_param)
    assert "padded_sharded_param = param_data.new_zeros(" in keeping and "_chunk_with_empty" in keeping


@pytest.fixture(scope="module")
def contract():
    spec = importlib.util.spec_from_file_location("vllm_contract", "bench/vllm_contract.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["vllm_contract"] = module
    spec.loader.exec_module(module)
    return module


def test_a_wheel_that_changed_is_named_line_by_line(contract, tmp_path):
    """The reader, against a small wheel: a parameter that is gone, a body that changed, a route that is gone."""

    def wheel(name, body, route, words="'LLM', 'SamplingParams'"):
        path = tmp_path / name
        with zipfile.ZipFile(path, "w") as file:
            file.writestr("vllm-9.dist-info/METADATA", "Name: vllm\nVersion: 9\nRequires-Dist: torch==2\n")
            file.writestr("vllm/entrypoints/llm.py", f"class LLM:\n    def sleep(self, level=1): {body}\n")
            file.writestr("vllm/__init__.py", f"__all__ = [{words}]")
            file.writestr("vllm/entrypoints/a.py", f'@router.post("{route}")\ndef f(): pass\n')
            file.writestr("vllm/distributed/weight_transfer/base.py", "class ParamMeta:\n    name: str\n")
        return contract.read_wheel(path)

    old = wheel("a.whl", "pass", "/collective_rpc")
    assert old["version"] == "9" and old["torch"] == "torch==2"
    assert contract.differences(old, wheel("b.whl", "pass", "/collective_rpc")) == []
    changed = contract.differences(old, wheel("c.whl", "return 1", "/other", words="'LLM'"))
    assert changed == [
        "route /collective_rpc is gone",
        "vllm/entrypoints/llm.py:LLM.sleep: the source has changed; read it again",
        "vllm/__init__.py no longer writes 'SamplingParams'",
    ]
    old["known"]["vllm/distributed/weight_transfer/base.py:ParamMeta"]["names"].append("shape")
    assert contract.differences(old, wheel("d.whl", "pass", "/collective_rpc")) == [
        "vllm/distributed/weight_transfer/base.py:ParamMeta has lost shape"
    ]
