"""The client with the real vLLM, as a server and inside the process: a tiny random model, so every answer is nonsense.

What is tested is what nonsense can show: transport, batching, token counts, schemas that the engine keeps to, and rows
that survive a model which says nothing useful.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from microcoder_data import build, load_recipe, make_engine
from microcoder_data.llm import Client, Llm, NoAnswer, Question
from microcoder_data.report.dataset import rows
from tests.data.difficulty.datasets import dataset

pytestmark = [
    pytest.mark.vllm,
    pytest.mark.skipif(not importlib.util.find_spec("vllm"), reason="vLLM is not installed here: make test-vllm"),
    pytest.mark.timeout(1800),
]
ON_CPU = {"VLLM_CPU_KVCACHE_SPACE": "1", "VLLM_ENABLE_V1_MULTIPROCESSING": "0"}
START_S = 120
"""A server that is being started, and neither computes nor writes to its log for this long, counts as stuck."""
CHOICE = {
    "type": "object",
    "properties": {"level": {"type": "string", "enum": ["easy", "medium", "hard"]}},
    "required": ["level"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Qwen3 of two layers with random weights, a byte-level tokenizer and a plain chat template."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

    folder = tmp_path_factory.mktemp("model")
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE({letter: number for number, letter in enumerate(alphabet)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<end>", pad_token="<pad>")
    fast.chat_template = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}assistant: "
    fast.save_pretrained(folder)
    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=len(fast), hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=2,
        num_key_value_heads=2, head_dim=32, max_position_embeddings=4096, eos_token_id=fast.eos_token_id,
        tie_word_embeddings=True,
    )  # fmt: skip
    Qwen3ForCausalLM(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def server(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    from microcoder_rl.engines.server_process import free_port
    from microcoder_rl.engines.standstill import Standstill

    port = free_port()
    # a part of a prompt breaks the generator of a request with a seed, on a CPU
    options = ["--no-enable-chunked-prefill", "--dtype", "float32", "--enforce-eager", "--max-model-len", "4096"]
    options += ["--served-model-name", "tiny"]
    command = [sys.executable, "-m", "vllm.entrypoints.openai.api_server", "--model", str(model), "--port", str(port)]
    log = tmp_path_factory.mktemp("log") / "server.log"
    with log.open("wb") as file:
        process = subprocess.Popen([*command, *options], env={**os.environ, **ON_CPU}, stdout=file, stderr=file)
        standstill = Standstill(process.pid, log)
        try:
            while True:
                assert process.poll() is None and standstill.seconds() < START_S, log.read_text()[-2000:]
                try:
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=1)
                    break
                except OSError:
                    time.sleep(0.5)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()
            process.wait()


def question(number: int, schema: dict[str, Any] = CHOICE) -> Question:
    return Question("level_v1", "You judge.", f"Problem {number}", schema, answer_tokens=64, temperature=1.0)


def asked(client: Client, count: int) -> list[dict[str, Any] | None]:
    def ask(number: int) -> dict[str, Any] | None:
        try:
            return client.ask(question(number))
        except NoAnswer as why:
            assert why.final, why
            return None

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(ask, range(count)))


def test_a_server_keeps_to_the_schema_for_many_at_once(server: str, tmp_path: Path) -> None:
    settings = Llm(backend="openai", model="tiny", base_url=server, attempts=3)
    with Client(settings, tmp_path) as client:
        answers = asked(client, 24)
        account = client.account.steps["level_v1"]
    said = [answer for answer in answers if answer is not None]
    assert said and all(answer["level"] in ("easy", "medium", "hard") for answer in said)
    assert account.calls >= 24 and account.prompt_tokens > 24 * 20 and account.answer_tokens > 24
    with Client(settings, tmp_path) as client:
        assert asked(client, 24) == answers and client.account.steps["level_v1"].calls == 0


def test_free_nonsense_is_no_answer(server: str, tmp_path: Path) -> None:
    settings = Llm(backend="openai", model="tiny", base_url=server, attempts=2, guided=False)
    with Client(settings, tmp_path) as client:
        assert asked(client, 8) == [None] * 8
        assert client.account.steps["level_v1"].calls == 16 and client.account.to_retry == 0


def test_a_model_that_the_server_does_not_have_is_said_plainly(server: str, tmp_path: Path) -> None:
    with (
        Client(Llm(backend="openai", model="other", base_url=server), tmp_path) as client,
        pytest.raises(NoAnswer, match="refused: 404"),
    ):
        client.ask(question(0))


def test_a_prompt_that_is_too_long_costs_itself_alone(server: str, tmp_path: Path) -> None:
    long = Question("level_v1", "You judge.", "x" * 9000, CHOICE, answer_tokens=64)
    with Client(Llm(backend="openai", model="tiny", base_url=server), tmp_path) as client:
        with pytest.raises(NoAnswer, match="refused: 400"):
            client.ask(long)
        assert any(asked(client, 8))


def test_a_build_survives_a_model_that_talks_nonsense(server: str, tmp_path: Path) -> None:
    llm = {"backend": "openai", "model": "tiny", "base_url": server, "attempts": 1, "guided": False}
    path, out = dataset(tmp_path, 6, llm=llm, filter={"difficulty": {"predictions": 1}})
    assert build(load_recipe(path), out, make_engine("local", 2)) is not None
    assert [row["difficulty"]["predicted"] for row in rows(out)] == [None] * 6


def test_inside_the_process_questions_are_answered_in_batches_and_a_missing_model_is_one_line(
    model: Path, tmp_path: Path
) -> None:
    options = {"dtype": "float32", "enforce_eager": True, "max_model_len": 4096}
    script = tmp_path / "ask.py"
    script.write_text(f"""
import json
from pathlib import Path
from microcoder_eval import InputError
from tests.data.llm.test_vllm import Client, Llm, asked
try:
    Client(Llm(backend="vllm", model={str(tmp_path / "nothing")!r}), Path({str(tmp_path)!r}))
except InputError as error:
    refused = str(error)
with Client(Llm(backend="vllm", model={str(model)!r}, vllm={options!r}, attempts=3), Path({str(tmp_path)!r})) as client:
    engine = client._backend._engine
    sizes, chat = [], engine.chat
    engine.chat = lambda chats, *rest, **named: (sizes.append(len(chats)), chat(chats, *rest, **named))[1]
    print(json.dumps([refused, asked(client, 24), sizes]))
""")
    root = Path(__file__).parents[3]
    environment = {**os.environ, **ON_CPU, "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    refused, answers, sizes = json.loads(done.stdout.strip().splitlines()[-1])
    assert "cannot be loaded" in refused
    assert any(answers) and sum(sizes) >= 24 and len(sizes) < 24, "waiting questions go together"
