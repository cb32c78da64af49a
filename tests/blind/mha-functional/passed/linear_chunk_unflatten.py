"""Attention with F.linear, chunk, unflatten and flatten."""

import torch.nn.functional as F


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError(f"{d_model=} is not a multiple of {num_heads=}")
    q, k, v = (
        F.linear(x, w).unflatten(-1, (num_heads, -1)).transpose(1, 2)
        for x, w in zip((q, k, v), in_proj_weight.chunk(3))
    )
    scores = (q @ k.mT) * q.size(-1) ** -0.5
    if mask is not None:
        hidden = mask.ne(0).broadcast_to(q.size(0), q.size(2), k.size(2))
        scores = scores.masked_fill(hidden[:, None], -float("inf"))
    return F.linear((scores.softmax(-1) @ v).transpose(1, 2).flatten(-2), out_proj_weight)
