"""Multi-head attention that turns the mask into "visible" with a tilde.

Idea: The tilde flips the bits of an integer and not its truth, so that both 0 and 1 become true.
Where: only when the mask holds integers
"""

import torch
from einops import rearrange, repeat


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    wq, wk, wv = rearrange(in_proj_weight, "(c o) i -> c i o", c=3)
    Q, K, V = (rearrange(x, "n l (h d) -> n h l d", h=num_heads) for x in (q @ wq, k @ wk, v @ wv))
    scores = torch.einsum("nhqd,nhkd->nhqk", Q, K) / (d_model // num_heads) ** 0.5
    if mask is not None:
        if mask.is_floating_point():
            mask = mask > 0.5
        visible = (~mask).bool().expand(q.shape[0], q.shape[1], k.shape[1])
        scores = torch.where(repeat(visible, "n q k -> n h q k", h=num_heads), scores, -torch.inf)
    out = torch.einsum("nhqk,nhkd->nqhd", scores.softmax(-1), V)
    return rearrange(out, "n q h d -> n q (h d)") @ out_proj_weight.T
