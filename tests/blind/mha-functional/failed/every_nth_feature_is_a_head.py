"""Multi-head attention with rearrange, where a head takes every num_heads-th feature.

Idea: Features are dealt out to the heads like cards instead of in blocks.
Where: everywhere
Id: head-order
"""

import torch
from einops import rearrange


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model % num_heads != 0")
    d_head = d_model // num_heads
    proj = [x @ w.T for x, w in zip((q, k, v), in_proj_weight.split(d_model))]
    Q, K, V = [rearrange(p, "n l (d h) -> n h l d", h=num_heads) for p in proj]
    att = torch.einsum("nhid,nhjd->nhij", Q, K) / d_head**0.5
    if mask is not None:
        m = torch.broadcast_to(mask, (q.size(0), q.size(1), k.size(1))) > 0
        att = att.masked_fill(m[:, None], float("-inf"))
    att = torch.softmax(att, dim=-1)
    return rearrange(att @ V, "n h l d -> n l (d h)") @ out_proj_weight.T
