"""The reference of mha-functional is torch.nn.MultiheadAttention with bias=False: proven in float64, mask by mask."""

import pytest
import torch
from torch import Tensor, nn

from grader.exercise import Exercise, exercise_of
from tests.installed import installed

N, QUERIES, HEADS, D_MODEL = 3, 5, 4, 24
ROUNDING = 1e-13


@pytest.fixture(scope="module")
def exercise() -> Exercise:
    return exercise_of(installed()["mha-functional"])


@pytest.fixture(scope="module")
def layer() -> nn.MultiheadAttention:
    torch.manual_seed(0)
    layer = nn.MultiheadAttention(D_MODEL, HEADS, bias=False, batch_first=True, dtype=torch.float64)
    nn.init.normal_(layer.out_proj.weight, std=0.3)
    return layer


def tokens(length: int, seed: int) -> Tensor:
    return torch.randn(N, length, D_MODEL, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def random_mask(*shape: int) -> Tensor:
    hidden = torch.rand(*shape, generator=torch.Generator().manual_seed(1)) > 0.5
    hidden[..., 2] = False
    return hidden


def given(
    exercise: Exercise, layer: nn.MultiheadAttention, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None
) -> Tensor:
    answer: Tensor = exercise.reference.multi_head_attention(
        q, k, v, HEADS, D_MODEL, mask, in_proj_weight=layer.in_proj_weight, out_proj_weight=layer.out_proj.weight
    )
    return answer


FUTURE = torch.ones(QUERIES, QUERIES, dtype=torch.bool).triu(1)
PADDING = torch.arange(QUERIES) >= torch.tensor([[5], [2], [4]])
MASKS = {
    "causal": FUTURE.expand(N, QUERIES, QUERIES),
    "padding": PADDING[:, None].expand(N, QUERIES, QUERIES),
    "both": FUTURE | PADDING[:, None],
    "any": random_mask(N, QUERIES, QUERIES),
}


@pytest.mark.parametrize("keys", [QUERIES, 7, 2, 1])
def test_without_a_mask(exercise: Exercise, layer: nn.MultiheadAttention, keys: int) -> None:
    q, k, v = tokens(QUERIES, 1), tokens(keys, 2), tokens(keys, 3)
    torch.testing.assert_close(given(exercise, layer, q, k, v, None), layer(q, k, v)[0], atol=ROUNDING, rtol=0)


@pytest.mark.parametrize("dtype", [torch.bool, torch.int64, torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("kind", MASKS)
def test_with_a_mask_of_each_kind_and_dtype(
    exercise: Exercise, layer: nn.MultiheadAttention, kind: str, dtype: torch.dtype
) -> None:
    q, k, v, mask = tokens(QUERIES, 1), tokens(QUERIES, 2), tokens(QUERIES, 3), MASKS[kind]
    for_each_head = mask.repeat_interleave(HEADS, dim=0)
    right, _ = layer(q, k, v, attn_mask=for_each_head)
    torch.testing.assert_close(given(exercise, layer, q, k, v, mask.to(dtype)), right, atol=ROUNDING, rtol=0)


@pytest.mark.parametrize("shape", [(QUERIES, 7), (1, QUERIES, 7), (N, 1, 7), (1, 1, 7)], ids=str)
def test_with_a_mask_that_is_broadcast(
    exercise: Exercise, layer: nn.MultiheadAttention, shape: tuple[int, ...]
) -> None:
    q, k, v, mask = tokens(QUERIES, 1), tokens(7, 2), tokens(7, 3), random_mask(*shape)
    whole = mask.broadcast_to(N, QUERIES, 7).repeat_interleave(HEADS, dim=0)
    right, _ = layer(q, k, v, attn_mask=whole)
    torch.testing.assert_close(given(exercise, layer, q, k, v, mask), right, atol=ROUNDING, rtol=0)


def test_a_padding_mask_is_what_the_layer_calls_key_padding_mask(
    exercise: Exercise, layer: nn.MultiheadAttention
) -> None:
    q, k, v = tokens(QUERIES, 1), tokens(QUERIES, 2), tokens(QUERIES, 3)
    right, _ = layer(q, k, v, key_padding_mask=PADDING)
    torch.testing.assert_close(given(exercise, layer, q, k, v, PADDING[:, None]), right, atol=ROUNDING, rtol=0)


@pytest.mark.parametrize("of", ["q", "k", "v", "in_proj_weight", "out_proj_weight"])
def test_gradients_are_the_layers(exercise: Exercise, layer: nn.MultiheadAttention, of: str) -> None:
    inputs = {name: tokens(QUERIES, seed).requires_grad_() for seed, name in enumerate("qkv")}
    leaf = {"in_proj_weight": layer.in_proj_weight, "out_proj_weight": layer.out_proj.weight, **inputs}[of]
    upstream, mask = tokens(QUERIES, 9), MASKS["any"]
    right, _ = layer(
        **dict(zip(("query", "key", "value"), inputs.values(), strict=True)),
        attn_mask=mask.repeat_interleave(HEADS, dim=0),
    )
    found = given(exercise, layer, *inputs.values(), mask)
    torch.testing.assert_close(
        torch.autograd.grad(found, leaf, upstream), torch.autograd.grad(right, leaf, upstream), atol=1e-12, rtol=0
    )


def test_the_layer_refuses_a_mask_of_the_batch(layer: nn.MultiheadAttention) -> None:
    """What spec.md says of its habits: three axes are (N * num_heads, L_q, L_k) for it ..."""
    q = tokens(QUERIES, 1)
    with pytest.raises(RuntimeError, match="3D attn_mask"):
        layer(q, q, q, attn_mask=MASKS["causal"])


def test_the_layer_adds_a_mask_of_floats(exercise: Exercise, layer: nn.MultiheadAttention) -> None:
    """... and floats are added to the scores."""
    q = tokens(QUERIES, 1)
    added, _ = layer(q, q, q, attn_mask=FUTURE.double())
    assert not torch.allclose(added, given(exercise, layer, q, q, q, FUTURE.double()), atol=1e-3)
    minus_infinity = torch.zeros(QUERIES, QUERIES, dtype=torch.float64).masked_fill(FUTURE, -torch.inf)
    hidden, _ = layer(q, q, q, attn_mask=minus_infinity)
    torch.testing.assert_close(hidden, given(exercise, layer, q, q, q, FUTURE.double()), atol=ROUNDING, rtol=0)


def test_the_example_of_the_spec_is_a_public_case_with_its_numbers(exercise: Exercise) -> None:
    example = next(case for case in exercise.paper(1).cases if case.id == "masks/example")
    (outcome,) = exercise.expected([example])
    for row in outcome.outputs[0][0].tolist():
        assert f"[{row[0]:.4f}, {row[1]:.4f}]" in exercise.challenge.spec()
    assert exercise.challenge.manifest.families["masks"].visibility == "public"


@pytest.mark.parametrize("seed", range(5))
def test_every_query_of_every_mask_sees_a_key_and_outside_of_masks_is_hidden_from_one(
    exercise: Exercise, seed: int
) -> None:
    """So that 1 read as 'may see' has an answer in all families but two, which it is charged for. Calls in combination
    have every kind of mask: next to a single key it can hide nothing.
    """
    for case in exercise.paper(seed).cases:
        mask = case.call.arguments.get("mask")
        if isinstance(mask, Tensor):
            assert not (mask != 0).all(dim=-1).any(), case.id
            assert case.family in ("masks", "combinations") or (mask != 0).any(dim=-1).all(), case.id
