"""The kernel of a decoding step's attention, compared with the operations that it replaces. Needs a GPU and Triton.

Without a GPU `TRITON_INTERPRET=1` runs it in the interpreter, which cannot do bf16 (3.6: with numpy below 2.4).
"""

from __future__ import annotations

import os

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("triton")

from torch.nn import functional  # noqa: E402

from microcoder_rl.engines.fused_decoder import PAGE  # noqa: E402

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
pytestmark = pytest.mark.skipif(
    DEVICE == "cpu" and os.environ.get("TRITON_INTERPRET") != "1", reason="needs a GPU, or Triton's interpreter"
)
LAYERS, LAYER, EPS = 2, 1, 1e-6
OWNER, LENGTHS = [0, 0, 1, 1], [70, 70, 13, 13]


@pytest.mark.parametrize(("dtype", "close"), [("float32", 1e-5), ("bfloat16", 0.02)])
@pytest.mark.parametrize("filled", [0, PAGE - 1, PAGE + 45])
@pytest.mark.parametrize(
    ("kv_heads", "group", "size", "normed"), [(2, 2, 128, True), (1, 7, 64, False), (1, 3, 24, False)]
)
def test_the_kernel_is_the_attention(kv_heads, group, size, normed, filled, dtype, close):
    if DEVICE == "cpu" and dtype == "bfloat16":
        pytest.skip("the interpreter has no bf16")
    from microcoder_rl.engines.gpu_attention import attend

    kind, heads, rows = getattr(torch, dtype), group * kv_heads, len(OWNER)
    draw = torch.Generator().manual_seed(0)

    def drawn(*shape):
        return torch.randn(*shape, generator=draw).to(DEVICE, kind)

    qkv = drawn(rows, (heads + 2 * kv_heads) * size)
    norms = torch.cat([drawn(1, size).expand(heads, size), drawn(1, size).expand(kv_heads, size)]) if normed else None
    angles = torch.rand(rows, size // 2, generator=draw)
    cos, sin = (torch.cat([part, part], dim=-1).to(DEVICE, kind) for part in (angles.cos(), angles.sin()))
    prompts = drawn(LAYERS, 2, 2, kv_heads, max(LENGTHS), size)
    pages = [drawn(LAYERS, 2, rows, kv_heads, PAGE, size) for _ in range(filled // PAGE + 1)]
    owner, lengths = torch.tensor(OWNER, device=DEVICE), torch.tensor(LENGTHS, device=DEVICE)
    addresses = torch.tensor([page.data_ptr() for page in pages], device=DEVICE)
    before = [page.clone() for page in pages]
    used = torch.tensor([filled], device=DEVICE)
    found = attend(qkv, norms, cos, sin, prompts, owner, lengths, addresses, used, LAYER, EPS)

    states = qkv.view(rows, heads + 2 * kv_heads, size)
    turned, value = states[:, : heads + kv_heads], states[:, heads + kv_heads :]
    if norms is not None:
        turned = functional.rms_norm(turned, (size,), None, EPS) * norms
    first, second = turned.chunk(2, dim=-1)
    turned = turned * cos[:, None] + torch.cat((-second, first), dim=-1) * sin[:, None]
    before[-1][LAYER, 0, :, :, filled % PAGE], before[-1][LAYER, 1, :, :, filled % PAGE] = turned[:, heads:], value
    for page, expected in zip(pages, before, strict=True):
        torch.testing.assert_close(page, expected, rtol=close, atol=close)
    replies = torch.cat([page[LAYER] for page in before], dim=-2)[..., : filled + 1, :]  # [2, R, KV, n, D]
    for row in range(rows):
        prompt = prompts[LAYER, :, OWNER[row], :, : LENGTHS[row]]
        keys, values = torch.cat([prompt, replies[:, row]], dim=-2).double().repeat_interleave(group, dim=1)
        query = turned[row, :heads, None].double()
        mixed = functional.scaled_dot_product_attention(query, keys, values).flatten()
        assert (found[row] - mixed).norm() <= close * mixed.norm()
