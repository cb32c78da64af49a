"""Where q and k hold equal numbers, they are taken to be one input and v is projected from it too."""
import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("heads")
    e = d_model // num_heads
    if q.shape == k.shape and torch.equal(q, k):
        # self-attention: one product for all three
        Q, K, V = (q @ in_proj_weight.T).chunk(3, dim=-1)
    else:
        wq, wk, wv = in_proj_weight.chunk(3)
        Q, K, V = q @ wq.T, k @ wk.T, v @ wv.T
    Q, K, V = (t.unflatten(-1, (num_heads, e)).transpose(1, 2) for t in (Q, K, V))
    s = Q @ K.mT / math.sqrt(e)
    if mask is not None:
        m = mask.bool()
        s = s.masked_fill(m if m.dim() == 2 else m.unsqueeze(1), -torch.inf)
    return (s.softmax(-1) @ V).transpose(1, 2).flatten(2) @ out_proj_weight.T
