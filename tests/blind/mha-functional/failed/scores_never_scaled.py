"""Multi-head attention with einops, from scores straight to the softmax.

Idea: The scores are not divided by the root of the head's width.
Where: everywhere
Id: missing-scale
"""

import torch
from einops import einsum, rearrange


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0, "bad number of heads"
    W = rearrange(in_proj_weight, "(c o) i -> c o i", c=3)
    Q, K, V = (rearrange(x @ w.T, "n l (h d) -> n h l d", h=num_heads) for x, w in zip((q, k, v), W))
    dots = einsum(Q, K, "n h i d, n h j d -> n h i j")
    if mask is not None:
        dots = dots.masked_fill(mask.bool().expand(q.shape[0], q.shape[1], k.shape[1])[:, None], -torch.inf)
    out = einsum(dots.softmax(dim=-1), V, "n h i j, n h j d -> n h i d")
    return rearrange(out, "n h i d -> n i (h d)") @ out_proj_weight.T
