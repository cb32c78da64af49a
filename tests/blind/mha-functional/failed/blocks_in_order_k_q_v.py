"""Takes keys from the first block of rows.

Idea: The blocks are read as keys, queries, values; the order is queries, keys, values.
Where: everywhere
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    w_k, w_q, w_v = torch.chunk(in_proj_weight, 3, dim=0)
    Q, K, V = (torch.stack((x @ w.T).chunk(num_heads, -1), 1) for x, w in ((q, w_q), (k, w_k), (v, w_v)))
    A = Q @ K.transpose(-1, -2)
    A = A / math.sqrt(d_model / num_heads)
    if mask is not None:
        A = A.masked_fill(torch.broadcast_to(mask.bool(), (q.size(0), q.size(1), k.size(1)))[:, None], -math.inf)
    return torch.cat((A.softmax(-1) @ V).unbind(1), dim=-1) @ out_proj_weight.T
