"""The softmax is exp over sum without subtracting the maximum.

Shows for scores of several hundred: inf or 0 divided by itself.
"""

import torch
from einops import einsum, rearrange
from torch import Tensor


def rope(dim: int, base: float, context: int, x: Tensor, pos: Tensor) -> Tensor:
    i = torch.arange(dim // 2, dtype=torch.float64, device=x.device)
    alpha = pos.double()[..., None] * base ** (-2.0 * i / dim)
    c, s = alpha.cos().to(x.dtype), alpha.sin().to(x.dtype)
    a, b = rearrange(x, "... (i two) -> two ... i", two=2)
    return rearrange([c * a - s * b, s * a + c * b], "two ... i -> ... (i two)")


def scaled_dot_product_attention(q: Tensor, k: Tensor, v: Tensor, may_attend: Tensor | None = None) -> Tensor:
    scores = einsum(q, k, "... m d, ... n d -> ... m n") * q.shape[-1] ** -0.5
    if may_attend is not None:
        scores = scores.masked_fill(~may_attend, float("-inf"))
    weights = scores.exp()
    weights = weights / weights.sum(dim=-1, keepdim=True)
    return einsum(weights, v, "... m n, ... n d -> ... m d")


def multihead_self_attention_with_rope(
    width: int,
    heads: int,
    context: int,
    base: float,
    wq: Tensor,
    wk: Tensor,
    wv: Tensor,
    wo: Tensor,
    x: Tensor,
    positions: Tensor | None = None,
    check: bool = True,
) -> Tensor:
    """`check` turns the check of the sizes off, for callers who know them."""
    if check and width % heads:
        raise ValueError(f"{width} features for {heads} heads")
    n = x.shape[-2]
    place = torch.arange(n, device=x.device)
    if positions is None:
        positions = place
    if positions.ndim == x.ndim:
        positions = rearrange(positions, "1 s -> s")

    q, k, v = (
        rearrange(einsum(x, w, "... s i, o i -> ... s o"), "... s (h d) -> ... h s d", h=heads) for w in (wq, wk, wv)
    )
    q, k = rope(width // heads, base, context, torch.stack((q, k)), rearrange(positions, "... s -> ... 1 s"))
    causal = rearrange(place, "i -> i 1") >= rearrange(place, "j -> 1 j")
    y = scaled_dot_product_attention(q, k, v, causal)
    return einsum(rearrange(y, "... h s d -> ... s (h d)"), wo, "... s i, o i -> ... s o")
