"""einops splits weights and heads, einsum multiplies; the mask is added as minus infinity."""

import torch
from einops import einsum, rearrange
from torch import Tensor


def multi_head_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    num_heads: int,
    d_model: int,
    mask: Tensor | None = None,
    *,
    in_proj_weight: Tensor,
    out_proj_weight: Tensor,
) -> Tensor:
    if d_model % num_heads != 0:
        raise ValueError("d_model must be a multiple of num_heads")
    weights = rearrange(in_proj_weight, "(three h d) m -> three h d m", three=3, h=num_heads)
    Q, K, V = (einsum(x, w, "n l m, h d m -> n h l d") for x, w in zip((q, k, v), weights, strict=True))
    scores = einsum(Q, K, "n h q d, n h k d -> n h q k") * Q.shape[-1] ** -0.5
    if mask is not None:
        hidden = mask.to(torch.bool)
        bias = torch.zeros(hidden.shape, dtype=q.dtype, device=q.device).masked_fill(hidden, float("-inf"))
        scores = scores + (bias if bias.dim() == 2 else rearrange(bias, "n q k -> n 1 q k"))
    heads = einsum(scores.softmax(dim=-1), V, "n h q k, n h k d -> n h q d")
    return rearrange(heads, "n h q d -> n q (h d)") @ out_proj_weight.T
