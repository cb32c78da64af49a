"""All heads use the mean of their weights.

Idea: The attention weights are averaged over the heads before they meet the values, so that all heads look at the same places.
Where: everywhere (with more than one head)
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError
    e = d_model // num_heads
    wq, wk, wv = in_proj_weight.reshape(3, num_heads, e, d_model)
    s = torch.einsum("nad,hed,nbc,hec->nhab", q, wq, k, wk) / e ** 0.5
    if mask is not None:
        s = s.masked_fill(mask.bool().expand(s.size(0), s.size(2), s.size(3))[:, None], -torch.inf)
    w = s.softmax(-1).mean(1)
    return torch.einsum("nab,nbc,hec->nahe", w, v, wv).flatten(2) @ out_proj_weight.T
