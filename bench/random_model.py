"""A random Qwen3 of any size that needs no download, with tasks that it solves by chance, for measurements.

One token in 32 of its vocabulary is a whole program that prints 1 or 2, the others are words, and the tasks ask for 1.
The last program of a reply counts, so half of the replies are right and each step has a learning signal. Replies reach
the length limit.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

END, WORD = "<|end|>", "word"
PROBLEMS = 64
QWEN3 = {"vocabulary": 151936, "num_key_value_heads": 8, "head_dim": 128, "num_hidden_layers": 28}
SIZES: dict[str, dict[str, Any]] = {
    "0.6b": {**QWEN3, "hidden_size": 1024, "intermediate_size": 3072, "num_attention_heads": 16},
    "1.7b": {**QWEN3, "hidden_size": 2048, "intermediate_size": 6144, "num_attention_heads": 16},
    "tiny": {
        "vocabulary": 2000, "hidden_size": 128, "intermediate_size": 384, "num_hidden_layers": 4,
        "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 32,
    },
}  # fmt: skip


def make_random_model(
    folder: Path, *, vocabulary: int, prompt_tokens: int, dtype: str = "float32", **shape: Any
) -> int:
    """Write `folder`/model and `folder`/tasks.jsonl; returns the number of parameters. `shape` is Qwen3Config's."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

    words = {token: number for number, token in enumerate((END, WORD, *map(_token, range(vocabulary - 2))))}
    core = Tokenizer(models.WordLevel(words, unk_token=WORD))
    core.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    core.decoder = decoders.Fuse()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=core, eos_token=END, pad_token=END, unk_token=WORD)
    tokenizer.save_pretrained(folder / "model")
    torch.manual_seed(0)
    config = Qwen3Config(vocab_size=vocabulary, bos_token_id=None, eos_token_id=0, pad_token_id=0, **shape)
    model = Qwen3ForCausalLM(config).to(getattr(torch, dtype))
    model.save_pretrained(folder / "model")
    with (folder / "tasks.jsonl").open("w", encoding="utf-8") as lines:
        for number in range(PROBLEMS):
            prompt = " ".join([WORD] * (prompt_tokens - number % 4))
            task = {"id": f"task-{number}", "prompt": prompt, "tests": [{"input": "", "output": "1\n"}]}
            lines.write(json.dumps(task) + "\n")
    return sum(parameter.numel() for parameter in model.parameters())


def _token(number: int) -> str:
    return f" word-{number}" if number % 32 else f"\n```python\nprint({number // 32 % 2 + 1})  # {number}\n```\n"
