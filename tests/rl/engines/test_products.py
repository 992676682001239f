"""The private operations of torch under the decoder's products: as declared, and not needed."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from microcoder_rl.engines import products  # noqa: E402
from microcoder_rl.engines.fused_decoder import FusedDecoder  # noqa: E402
from tests.rl.toys import requests, sample, small_model  # noqa: E402


def test_torch_declares_the_operations_as_they_are_called():
    assert products.changed_operations() == []


@pytest.mark.parametrize(
    ("wanted", "change"),
    [
        ("_linear_pointwise.nary(Tensor X) -> Tensor Y", "torch.ops.mkldnn.{} is gone"),
        ("_no_operation.default(Tensor X) -> Tensor Y", "torch.ops.mkldnn.{} is gone"),
        ("_is_mkldnn_bf16_supported.default(Tensor X) -> bool", "torch.ops.mkldnn.{} is () -> bool _0"),
    ],
)
@pytest.mark.parametrize("kind", ["qwen3", "qwen2"])
def test_where_one_has_changed_torchs_own_products_sample_the_same(monkeypatch, kind, wanted, change):
    model = small_model(kind)
    packed = sample(model, requests(), max_tokens=12)
    monkeypatch.setattr(products, "DECLARED", (*products.DECLARED, wanted))
    assert products.changed_operations() == [change.format(wanted)]
    assert not FusedDecoder(model).head.is_mkldnn
    plain = sample(model, requests(), max_tokens=12)
    assert [one.response_ids for one in plain] == [one.response_ids for one in packed]
    for one, other in zip(plain, packed, strict=True):
        assert one.sampled_logprobs == pytest.approx(other.sampled_logprobs, abs=1e-5)


def test_weights_of_another_dtype_are_not_packed():
    assert sample(small_model().double(), requests(2), max_tokens=3)
