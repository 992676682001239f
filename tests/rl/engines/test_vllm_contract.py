"""The calls that need GPUs, against what vLLM's wheel and torch declare. Nothing of vLLM is imported.

`bench/vllm_contract.py` reads a wheel into vllm_contract.json; a failure here says which of our arguments it lacks.
"""

from __future__ import annotations

import ast
import importlib.util
import inspect
import json
import re
import sys
import zipfile
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

RECORD = json.loads((Path(__file__).parent / "vllm_contract.json").read_text())
ENGINES = Path("microcoder_rl/engines")
KNOWN = {name.partition(":")[2]: about for name, about in RECORD["known"].items()}


def names(*which):
    return {each for name in which for each in KNOWN[name]["names"]}


def calls(file, called):
    """The calls of a function or method of this name in one of our files."""
    tree = ast.parse((ENGINES / file).read_text())
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [node for node in found if getattr(node.func, "attr", getattr(node.func, "id", "")) == called]


def keywords(file, called):
    found = calls(file, called)
    assert found, f"{file} does not call {called}"
    return {keyword.arg for call in found for keyword in call.keywords}


def test_everything_that_is_needed_is_there():
    assert [name for name, about in RECORD["known"].items() if about is None] == []
    assert len(RECORD["modules"]) == 2 and len(RECORD["routes"]) == 6


def test_the_record_is_of_the_oldest_version_that_is_allowed():
    assert RECORD["version"].rsplit(".", 1)[0] in Path("pyproject.toml").read_text().split("vllm>=")[1][:10]


@pytest.mark.parametrize(
    ("file", "called", "declared"),
    [
        ("vllm_engine.py", "llm", ("LLM.__init__", "EngineArgs")),
        ("vllm_engine.py", "SamplingParams", ("SamplingParams",)),
        ("vllm_engine.py", "sleep", ("LLM.sleep",)),
        ("vllm_engine.py", "wake_up", ("LLM.wake_up",)),
        ("vllm_engine.py", "collective_rpc", ("LLM.collective_rpc",)),
        ("vllm_engine.py", "add_request", ("LLMEngine.add_request",)),
        ("vllm_engine.py", "abort_request", ("LLMEngine.abort_request",)),
        ("weight_transfer.py", "IPCTrainerInitInfo", ("IPCTrainerInitInfo", "TrainerInitInfo")),
        ("weight_transfer.py", "NCCLTrainerInitInfo", ("NCCLTrainerInitInfo", "TrainerInitInfo")),
        ("weight_transfer.py", "HTTPVLLMWeightSyncClient", ("HTTPVLLMWeightSyncClient.__init__",)),
        ("weight_transfer.py", "trainer_init", ("WeightTransferTrainerFactory.trainer_init",)),
    ],
)
def test_our_arguments_are_declared(file, called, declared):
    assert keywords(file, called) <= names(*declared)


def test_positional_arguments_stand_where_they_are_declared():
    (request,) = calls("vllm_engine.py", "add_request")
    assert len(request.args) == 3 and KNOWN["LLMEngine.add_request"]["names"][:3] == ["request_id", "prompt", "params"]
    assert KNOWN["ParamMeta"]["names"][:3] == ["name", "dtype", "shape"]
    assert KNOWN["NCCLTrainerInitInfo"]["names"][:3] == [
        "backend",
        "master_address",
        "master_port",
    ]  # backend: ClassVar
    assert "metadata" in names("WeightSource") and "rank" in names("TrainerInitInfo")
    assert "FINAL_ONLY" in names("RequestOutputKind")
    assert KNOWN["LLMEngine.abort_request"]["names"][:1] == ["request_ids"]
    assert KNOWN["LLM.collective_rpc"]["names"][:1] == ["method"]
    (send,) = calls("server_engine.py", "send_weights")
    assert not send.args and not send.keywords
    assert KNOWN["TrainerWeightTransferEngine.send_weights"]["names"] == []


def test_weights_are_replaced_with_declared_arguments():
    source = (ENGINES / "vllm_engine.py").read_text() + (ENGINES / "server_engine.py").read_text()
    given = set(re.findall(r'"(weights_\w+)":', source))
    assert given == {"weights_iterator", "weights_path"} and given <= names("GPUModelRunner.reload_weights")


def test_the_servers_options_and_routes_are_declared():
    source = (ENGINES / "server_process.py").read_text()
    block = source[source.index("options = {") : source.index("command = [")]
    options = {each.replace("-", "_") for each in re.findall(r'"([a-z-]+)"(?::|\] =)', block)} | {
        "enforce_eager",
        "enable_chunked_prefill",
    }
    options -= {"backend"}  # a value
    assert len(options) > 10
    assert options <= names("EngineArgs", "FrontendArgs", "BaseFrontendArgs")
    body = (ENGINES / "server_engine.py").read_text()
    body = body[body.index("def _body") : body.index("def _refuse_raw")]
    assert set(re.findall(r'"(\w+)":', body)) <= names("CompletionRequest")
    used = set(re.findall(r'"(/[a-z_/0-9]+)', (ENGINES / "server_engine.py").read_text()))
    assert used <= set(RECORD["routes"]) | {"/v1/completions"}


def test_fsdp2_has_what_sharding_calls():
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
    from torch.distributed.tensor import DTensor

    assert {"mesh", "mp_policy"} <= set(inspect.signature(fully_shard).parameters)
    assert {"param_dtype", "reduce_dtype"} <= set(inspect.signature(MixedPrecisionPolicy).parameters)
    assert list(inspect.signature(init_device_mesh).parameters)[:2] == ["device_type", "mesh_shape"]
    assert callable(DTensor.full_tensor)


@pytest.fixture(scope="module")
def contract():
    spec = importlib.util.spec_from_file_location("vllm_contract", "bench/vllm_contract.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["vllm_contract"] = module
    spec.loader.exec_module(module)
    return module


def test_a_wheel_that_changed_is_named_line_by_line(contract, tmp_path):
    """The reader, against a small wheel: a parameter that is gone, a body that changed, a route that is gone."""

    def wheel(name, body, route):
        path = tmp_path / name
        with zipfile.ZipFile(path, "w") as file:
            file.writestr("vllm-9.dist-info/METADATA", "Name: vllm\nVersion: 9\nRequires-Dist: torch==2\n")
            file.writestr("vllm/entrypoints/llm.py", f"class LLM:\n    def sleep(self, level=1): {body}\n")
            file.writestr("vllm/entrypoints/a.py", f'@router.post("{route}")\ndef f(): pass\n')
            file.writestr("vllm/distributed/weight_transfer/base.py", "class ParamMeta:\n    name: str\n")
        return contract.read_wheel(path)

    old = wheel("a.whl", "pass", "/collective_rpc")
    assert old["version"] == "9" and old["torch"] == "torch==2"
    assert contract.differences(old, wheel("b.whl", "pass", "/collective_rpc")) == []
    changed = contract.differences(old, wheel("c.whl", "return 1", "/other"))
    assert changed == [
        "route /collective_rpc is gone",
        "vllm/entrypoints/llm.py:LLM.sleep: the source has changed; read it again",
    ]
    old["known"]["vllm/distributed/weight_transfer/base.py:ParamMeta"]["names"].append("shape")
    assert contract.differences(old, wheel("d.whl", "pass", "/collective_rpc")) == [
        "vllm/distributed/weight_transfer/base.py:ParamMeta has lost shape"
    ]
