"""Multi-head attention that hides keys where the mask is zero.

Idea: A 1 in the mask is read as "may be seen", so that the wrong half of the keys is hidden.
Where: everywhere that a mask is given
Id: mask-inverted
"""

import torch
from einops import rearrange


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert not d_model % num_heads
    to_heads = "n l (h d) -> n h l d"
    wq, wk, wv = in_proj_weight.chunk(3)
    Q = rearrange(q @ wq.T, to_heads, h=num_heads)
    K = rearrange(k @ wk.T, to_heads, h=num_heads)
    V = rearrange(v @ wv.T, to_heads, h=num_heads)
    scores = Q @ rearrange(K, "n h l d -> n h d l") / Q.shape[-1] ** 0.5
    if mask is not None:
        mask = mask.expand(q.shape[0], q.shape[1], k.shape[1])[:, None]
        # the smallest finite number, or a row without any key becomes nan
        scores = scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min)
    out = rearrange(scores.softmax(-1) @ V, "n h l d -> n l (h d)")
    return out @ out_proj_weight.T
