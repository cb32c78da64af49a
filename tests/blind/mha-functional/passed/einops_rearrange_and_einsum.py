"""Multi-head attention with einops.rearrange and named einsum axes."""

import torch
from einops import einsum, rearrange


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError(f"d_model={d_model} cannot be divided among {num_heads} heads")

    wq, wk, wv = rearrange(in_proj_weight, "(three out) inp -> three out inp", three=3)
    Q = rearrange(einsum(q, wq, "n l i, o i -> n l o"), "n l (h d) -> n h l d", h=num_heads)
    K = rearrange(einsum(k, wk, "n l i, o i -> n l o"), "n l (h d) -> n h l d", h=num_heads)
    V = rearrange(einsum(v, wv, "n l i, o i -> n l o"), "n l (h d) -> n h l d", h=num_heads)

    scores = einsum(Q, K, "n h q d, n h k d -> n h q k") * (d_model // num_heads) ** -0.5
    if mask is not None:
        full = torch.broadcast_to(mask, (q.shape[0], q.shape[1], k.shape[1]))
        scores = torch.where(rearrange(full != 0, "n q k -> n 1 q k"), -torch.inf, scores)
    mixed = einsum(scores.softmax(-1), V, "n h q k, n h k d -> n h q d")
    return einsum(rearrange(mixed, "n h q d -> n q (h d)"), out_proj_weight, "n q i, o i -> n q o")
