"""`microcoder train plan`: its figures beside what models, optimisers, autograd and a real run take."""

from __future__ import annotations

import dataclasses
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

torch = pytest.importorskip("torch")

import yaml  # noqa: E402

from microcoder_rl.commands import train  # noqa: E402
from microcoder_rl.model.window import NO_WINDOW  # noqa: E402
from microcoder_rl.plan import Assumptions  # noqa: E402
from microcoder_rl.plan.device import find_device, this_cpu  # noqa: E402
from microcoder_rl.plan.job import Job  # noqa: E402
from microcoder_rl.plan.memory import count_memory  # noqa: E402
from microcoder_rl.plan.shape import KNOWN, read_shape  # noqa: E402
from microcoder_rl.recipe import build_config  # noqa: E402
from tests.rl.toys import small_model, toy_recipe  # noqa: E402

# the model of smollm2.yaml is made first: `microcoder model smollm2`
SHIPPED = sorted(path for path in Path("pipelines/train").rglob("*.yaml") if path.stem != "smollm2")
GUIDE = Path("docs/reproducing.md")


def plan(*arguments, fails=False):
    result = CliRunner().invoke(train, ["plan", *map(str, arguments)])
    assert (result.exit_code != 0) == fails, result.output
    return result.output


def plan_json(*arguments):
    return json.loads(plan(*arguments, "--json"))


@pytest.mark.parametrize(
    ("name", "billions"),
    [("Qwen/Qwen3-1.7B", 1.72), ("Qwen/Qwen3-4B-Instruct-2507", 4.02), ("deepseek-ai/DeepSeek-R1-0528-Qwen3-8B", 8.19)],
)
def test_known_models_have_the_parameters_that_their_makers_say(name, billions):
    assert KNOWN[name].parameters / 1e9 == pytest.approx(billions, abs=0.01)


@pytest.mark.parametrize("kind", ["qwen3", "qwen2", "llama", "gpt2"])
def test_a_models_parameters_are_counted_from_its_config(kind, tmp_path):
    model = model_of(kind)
    model.config.save_pretrained(tmp_path)
    assert read_shape(tmp_path / "config.json").parameters == sum(p.numel() for p in model.parameters())


def test_a_window_that_no_layer_uses_is_none(tmp_path):
    config = {**model_of("qwen2").config.to_dict(), "use_sliding_window": True, "sliding_window": 8}
    for kinds, window in (("full_attention", NO_WINDOW), ("sliding_attention", 8)):
        (tmp_path / "config.json").write_text(json.dumps({**config, "layer_types": 3 * [kinds]}))
        assert read_shape(tmp_path / "config.json").window == window


def model_of(kind):
    if kind != "llama":
        return small_model(kind, hidden=128, layers=3)
    from transformers import LlamaConfig, LlamaForCausalLM

    shape = {"vocab_size": 96, "hidden_size": 128, "intermediate_size": 320, "num_hidden_layers": 3}
    return LlamaForCausalLM(LlamaConfig(**shape, num_attention_heads=4, num_key_value_heads=2))


def kept_for_backward(model, layout, rollouts):
    """Bytes of all that autograd keeps for the backward pass, each storage once, without the weights."""
    from microcoder_rl.policy import Policy

    weights = {parameter.untyped_storage().data_ptr() for parameter in model.parameters()}
    kept = {}

    def pack(tensor):
        kept[tensor.untyped_storage().data_ptr()] = tensor  # held, so that no address is used twice
        return tensor

    tokenizer = type("Tokenizer", (), {"eos_token_id": 0})
    policy = Policy(model.train(), tokenizer)
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        {"padded": policy._padded, "shared": policy._shared}[layout](rollouts)
    return sum(tensor.untyped_storage().nbytes() for place, tensor in kept.items() if place not in weights)


def test_an_adapters_parameters_are_counted():
    pytest.importorskip("peft")
    from microcoder_rl import lora

    for target in ((), ("q_proj", "down_proj")):
        model = model_of("qwen3")
        config = build_config({"model": {"lora": {"rank": 4, "target": list(target)}}})
        lora.attach(model, config.model.lora)
        job = Job(config, shape_of(model), this_cpu(0), 1, 8, 8, 8, {}, Assumptions())
        assert job.trained == sum(p.numel() for p in model.parameters() if p.requires_grad)


@pytest.mark.parametrize("kind", ["qwen3", "qwen2", "llama"])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("layout", ["padded", "shared", "checkpointed", "lora"])
def test_activations_are_what_autograd_keeps(kind, dtype, layout, tmp_path):
    from microcoder_rl.rollout import Rollout

    prompt, reply, group = 50, 150, 4
    model = model_of(kind).to(getattr(torch, dtype))
    model.config.save_pretrained(tmp_path)
    checkpointed = layout == "checkpointed"
    adapted = {"rank": 4} if layout == "lora" else None
    if layout in ("checkpointed", "lora"):
        layout = "padded"
    if checkpointed:
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    config = build_config(
        {
            "model": {"path": str(tmp_path), "dtype": dtype, "gradient_checkpointing": checkpointed, "lora": adapted},
            "rollout": {"group": group, "max_tokens": reply},
            "batch": {"prompts": 2, "minibatch": 2, "layout": layout},
        }
    )
    shape = read_shape(tmp_path / "config.json")
    if adapted:
        pytest.importorskip("peft")
        from microcoder_rl import lora

        lora.attach(model, config.model.lora)
    job = Job(config, shape, this_cpu(0), 1, prompt, prompt, reply, {}, Assumptions())
    (item,) = (item for item in count_memory(job) if item.name == "activations")
    rollouts = [
        Rollout(place // group, place, 0, (1 + place // group,) * prompt, [5] * reply, [], "length", 1.0)
        for place in range(2 * group)
    ]
    kept = kept_for_backward(model, layout, rollouts)
    tokens = 2 * group * (prompt + reply) if layout == "padded" else 2 * prompt + 2 * group * reply
    while_going_back = tokens * job.width * (3 * shape.intermediate + 2 * shape.hidden)
    if checkpointed:  # one layer is computed again
        plain = dataclasses.replace(config, model=dataclasses.replace(config.model, gradient_checkpointing=False))
        (whole,) = (i for i in count_memory(dataclasses.replace(job, config=plain)) if i.name == "activations")
        while_going_back += (whole.bytes["update"] - while_going_back) / shape.layers
    assert item.bytes["update"] == pytest.approx(kept + while_going_back, rel=0.12 if adapted else 0.08)


def test_weights_and_optimizer_are_what_they_are():
    from microcoder_rl.optimizer import MasterAdamW
    from microcoder_rl.recipe.config import OptimizerConfig

    model = small_model("qwen3", hidden=128).to(torch.bfloat16)
    optimizer = MasterAdamW(model, OptimizerConfig())
    model(torch.arange(8)[None]).logits.float().sum().backward()
    masters = [master for group in optimizer.adamw.param_groups for master in group["params"]]
    gradients = sum(master.grad.nbytes for master in masters)
    optimizer.step(0.1)
    held = {
        "weights": sum(parameter.nbytes for parameter in model.parameters()),
        "fp32 masters": sum(master.nbytes for master in masters),
        "optimizer moments": sum(
            state[name].nbytes for state in optimizer.adamw.state.values() for name in ("exp_avg", "exp_avg_sq")
        ),
        "gradients": gradients,
    }
    folder_config = {"model": {"dtype": "bfloat16"}, "rollout": {"max_tokens": 8}}
    shape = shape_of(model)
    job = Job(build_config(folder_config), shape, this_cpu(0), 1, 8, 8, 8, {}, Assumptions())
    planned = {item.name: item.bytes["optimizer step"] for item in count_memory(job)}
    assert {name: planned[name] for name in held} == held


@pytest.mark.parametrize(("changes", "parts"), [({}, 4), ({"compile": True}, 1), ({"lora": {"dropout": 0.1}}, 1)])
def test_the_gradients_of_a_small_model_exist_once_for_each_thread(changes, parts):
    config = build_config({"model": changes, "rollout": {"max_tokens": 1}, "batch": {"prompts": 2, "minibatch": 2}})
    alone, divided = (
        Job(config, shape_of(model_of("qwen3")), this_cpu(threads), 1, 1, 1, 1, {}, Assumptions()) for threads in (1, 4)
    )
    whole, held = (
        next(item for item in count_memory(job) if item.name == "gradients").bytes["update"] for job in (alone, divided)
    )
    assert held == (parts * 4 * alone.trained if parts > 1 else whole)


@pytest.mark.parametrize("kind", ["qwen3", "qwen2", "llama"])
@pytest.mark.parametrize(("place", "device"), [("meta", find_device("H100")), ("cpu", this_cpu(0))])
def test_the_samplers_fused_weights_are_those_that_the_decoder_copies(kind, place, device):
    """A tensor of the meta device is shared where one of a GPU is."""
    from microcoder_rl.engines.fused_decoder import FusedDecoder

    model = model_of(kind)
    config = build_config({"model": {"dtype": "float32"}, "rollout": {"engine": "torch", "max_tokens": 8}})
    job = Job(config, shape_of(model), device, 1, 8, 8, 8, {}, Assumptions())
    planned = next(item.bytes for item in count_memory(job) if item.name == "sampler's fused weights")
    decoder = FusedDecoder(model.to(place))
    trained = {id(parameter) for parameter in model.parameters()}
    held = [decoder.head, *(weight for layer in decoder.layers for weight in layer.values())]
    copies = sum(4 * weight.numel() for weight in held if id(weight) not in trained)
    assert list(planned.values()) == pytest.approx([copies] * 3, rel=0.02)


@pytest.mark.parametrize(("staleness", "kept"), [(0, False), (1, True)])
def test_a_gpu_holds_the_torch_engines_cache_while_it_samples(staleness, kept):
    """With updates beside sampling it is held all the time, and a copy of the weights too."""
    config = build_config({"rollout": {"staleness": staleness, "max_tokens": 300}})
    job = Job(config, shape_of(model_of("qwen3")), find_device("H100"), 1, 8, 8, 8, {}, Assumptions())
    items = {item.name: item.bytes for item in count_memory(job)}
    cache = items["key-value cache"]
    assert cache["sampling"] > 0 and bool(cache["update"]) == kept
    assert ("sampler's copy of the weights" in items) == kept


def shape_of(model):
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        model.config.save_pretrained(folder)
        return read_shape(Path(folder) / "config.json")


PEAK = """
import sys, cli
peak_file = sys.argv.pop(1)
try:
    cli.main()
finally:
    peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
    open(peak_file, "w").write(peak)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the kernel's account of memory is Linux's")
def test_the_peak_of_a_run_is_predicted(toy, tmp_path):
    recipe = tmp_path / "toy.yaml"
    recipe.write_text(yaml.safe_dump(toy_recipe(toy, tmp_path / "run", evaluate={"every": 0})))
    peak_file = tmp_path / "peak"
    command = [sys.executable, "-c", PEAK, str(peak_file), "train", "run", str(recipe), "--quiet", "log.live=false"]
    subprocess.run(command, check=True)
    measured = int(peak_file.read_text()) * 1024
    assert plan_json(recipe)["peak"] == pytest.approx(measured, rel=0.15)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_every_shipped_recipe_is_planned_and_the_advice_holds(path):
    found = plan_json(path, "--gpus", 8, "--gpu-memory", "80GB")
    assert found["run_seconds"] > 0 and found["parameters"] > 0
    assert found["peak"] == max(found["peak_by_phase"].values())
    if not found["fits"]:
        advice = found["advice"]
        words = " ".join(advice["changes"]).split()
        gpus = [] if "--gpus" in words else ["--gpus", 8]
        again = plan_json(path, "--gpu-memory", "80GB", *gpus, *words)
        assert again["fits"] and again["peak"] == advice["peak"]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_every_shipped_recipe_fits_what_it_says_it_is_made_for(path):
    recipe = path
    while not (made_for := re.search(r"^# Made for (one|\d+) GPUs? of (\d+ GB)", recipe.read_text(), re.MULTILINE)):
        base = yaml.safe_load(recipe.read_text()).get("extends")
        if base is None:
            assert recipe.stem == "tiny"
            return
        recipe = recipe.parent / base
    gpus = 1 if made_for[1] == "one" else int(made_for[1])
    found = plan_json(path, "--gpus", gpus, "--gpu-memory", made_for[2])
    assert found["fits"] and found["peak"] < 0.9 * found["device"]["memory"]


def test_the_guides_table_of_hardware_is_what_is_planned():
    rows = re.findall(r"^\| `([\w./-]+)` \| (\d+) \| ([\d.]+) GiB \| ([\d.]+) h \|", GUIDE.read_text(), re.MULTILINE)
    assert len(rows) >= 5
    for recipe, gpus, peak, hours in rows:
        found = plan_json(f"pipelines/train/{recipe}.yaml", "--gpus", gpus, "--gpu", "H100", "--gpu-memory", "80GB")
        assert found["peak"] / 2**30 == pytest.approx(float(peak), abs=0.06), recipe
        assert found["run_seconds"] / 3600 == pytest.approx(float(hours), abs=0.06), recipe


def test_weights_that_are_gathered_for_an_engine_take_memory_and_time():
    def planned(gpus, *changes):
        base = ("pipelines/train/base.yaml", "--gpu", "H100", "--gpu-memory", "200GB", "--gpus", gpus, *changes)
        found = plan_json(*base)
        return found["memory"].get("gathered weights", {}).get("sampling", 0), found["seconds_per_step"][
            "weights to the engine"
        ]

    weights = 2 * KNOWN["Qwen/Qwen3-4B-Instruct-2507"].parameters
    apart = ("rollout.engine=vllm-server", "vllm.devices=8")
    assert planned(8, *apart)[0] == weights  # by NCCL, when the first GPU has them all
    assert 0 < planned(8, *apart, "vllm.weights=disk")[0] < weights / 8
    assert planned(1)[0] == 0
    assert planned(8)[1] - planned(1)[1] == pytest.approx(weights / 25e9, rel=0.01)
    written_and_read = 2 * weights / Assumptions().disk / 1e9
    assert planned(1, "vllm.tensor_parallel=2")[1] == pytest.approx(written_and_read, rel=0.01)


def test_memory_that_does_not_suffice_is_said_with_what_to_change():
    said = plan("pipelines/train/table1/qwen3-4b-4k-grpo.yaml", "--gpu", "4090", fails=True)
    assert "does not fit" in said and "--gpus" in said and "fp32 masters" in said
    assert "does not fit" not in plan("pipelines/train/tiny.yaml")


def test_assumptions_change_time_and_cost_only():
    base = ("pipelines/train/base.yaml", "--gpus", 8)
    short = plan_json(*base, "--assume", "reply_tokens=500", "--assume", "price=3")
    long = plan_json(*base, "--assume", "reply_tokens=5000", "--assume", "price=3")
    assert short["memory"] == long["memory"] and short["cost"] < long["cost"]
    assert short["cost"] == pytest.approx(3 * short["gpu_hours"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["model.path=nobody/nothing"], "put its config.json into a folder"),
        (["--gpu", "H1000"], "known: H100"),
        (["--gpu-memory", "much"], "write it as 80GB"),
        (["--gpu-memory", "80"], "write it as 80GB"),
        (["--assume", "replytokens=5"], "reply_tokens"),
        (["--assume", "reply_tokens=many"], "KEY=NUMBER"),
        (["rollout.max_tokens=300000"], "context of 262144"),
    ],
)
def test_mistakes_are_one_line(arguments, said):
    output = plan("pipelines/train/base.yaml", *arguments, fails=True)
    assert said in " ".join(output.split())


def test_another_type_of_model_is_planned_roughly_and_what_is_no_language_model_is_refused(tmp_path):
    mixture = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2}
    sizes = {"vocab_size": 96, "intermediate_size": 128, "moe_intermediate_size": 32, "num_experts": 4}
    config = {"model_type": "qwen3_moe", **mixture, **sizes, "max_position_embeddings": 4096}
    (tmp_path / "config.json").write_text(json.dumps(config))
    arguments = ("pipelines/train/base.yaml", f"model.path={tmp_path}", "rollout.max_tokens=1024")
    said = " ".join(plan(*arguments).split())
    assert "are rough: a model of type qwen3_moe is taken for a Llama" in said and "fits" in said
    (tmp_path / "config.json").write_text('{"model_type": "mamba", "hidden_size": 64, "num_hidden_layers": 1}')
    assert "without attention heads" in " ".join(plan(*arguments, fails=True).split())
    (tmp_path / "config.json").write_text('{"model_type": "t5"}')
    said = " ".join(plan(*arguments, fails=True).split())
    assert "is a model of type t5, which transformers cannot load as a causal language model" in said
    (tmp_path / "config.json").write_text("{")
    assert "not a model's config.json" in plan("pipelines/train/base.yaml", f"model.path={tmp_path}", fails=True)
