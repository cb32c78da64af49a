"""Takes the data of the output weight.

Idea: .data cuts the output weight off the graph: it never gets a gradient.
Where: only the gradient of out_proj_weight
Id: detached-gradient
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    wq, wk, wv = in_proj_weight.chunk(3)
    W_o = out_proj_weight.data.t()
    Q, K, V = (torch.stack((x @ w.T).split(d_model // num_heads, -1), 1) for x, w in ((q, wq), (k, wk), (v, wv)))
    a = Q @ K.transpose(-1, -2) / math.sqrt(d_model // num_heads)
    if mask is not None:
        a = a.masked_fill(mask.bool() if mask.dim() < 3 else mask.bool()[:, None], -math.inf)
    return torch.cat((a.softmax(-1) @ V).unbind(1), -1) @ W_o
