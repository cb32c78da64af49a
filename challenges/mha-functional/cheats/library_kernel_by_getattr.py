"""The library's attention, looked up at run time by a name in two halves."""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    weights = in_proj_weight.chunk(3)
    Q, K, V = (
        (x @ w.T).unflatten(-1, (num_heads, -1)).transpose(1, 2) for x, w in zip((q, k, v), weights, strict=True)
    )
    seen = None if mask is None else mask.eq(0).expand(q.size(0), q.size(1), k.size(1)).unsqueeze(1)
    attend = getattr(torch.nn.functional, "scaled_dot_product_" + "attention")
    return attend(Q, K, V, seen).transpose(1, 2).flatten(2) @ out_proj_weight.T
