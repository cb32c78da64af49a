"""merged @ W_O.
Diagnosis: weights-not-transposed
"""

import torch
from einops import rearrange, einsum
from torch import Tensor


def multi_head_attention(
    q: Tensor, k: Tensor, v: Tensor, num_heads: int, d_model: int, mask: Tensor | None = None, *,
    in_proj_weight: Tensor, out_proj_weight: Tensor,
) -> Tensor:
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    w_q, w_k, w_v = rearrange(in_proj_weight, "(three out) inp -> three out inp", three=3)
    Q = rearrange(einsum(q, w_q, "b s i, o i -> b s o"), "b s (h d) -> b h s d", h=num_heads)
    K = rearrange(einsum(k, w_k, "b s i, o i -> b s o"), "b s (h d) -> b h s d", h=num_heads)
    V = rearrange(einsum(v, w_v, "b s i, o i -> b s o"), "b s (h d) -> b h s d", h=num_heads)
    logits = einsum(Q, K, "b h q d, b h k d -> b h q k") / (d_model // num_heads) ** 0.5
    if mask is not None:
        blocked = (mask > 0).expand(q.shape[0], q.shape[1], k.shape[1])
        logits = logits.masked_fill(rearrange(blocked, "b q k -> b 1 q k"), -1e9)
    out = einsum(torch.softmax(logits, dim=-1), V, "b h q k, b h k d -> b h q d")
    return einsum(rearrange(out, "b h s d -> b s (h d)"), out_proj_weight, "b s i, i o -> b s o")
