"""Its own softmax subtracts the one largest score of the tensor: queries whose scores are all far below it divide zero by zero."""
# expect: subtracts maximum of whole tensor
import math

import torch


def stable_softmax(s):
    e = torch.exp(s - s.max())
    return e / e.sum(dim=-1, keepdim=True)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("num_heads does not divide d_model")
    d = d_model // num_heads
    wq, wk, wv = in_proj_weight[:d_model], in_proj_weight[d_model:-d_model], in_proj_weight[-d_model:]
    Q = (q @ wq.T).reshape(q.shape[0], q.shape[1], num_heads, d).transpose(1, 2)
    K = (k @ wk.T).reshape(k.shape[0], k.shape[1], num_heads, d).transpose(1, 2)
    V = (v @ wv.T).reshape(v.shape[0], v.shape[1], num_heads, d).transpose(1, 2)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d)
    if mask is not None:
        if mask.dim() == 3:
            mask = mask.unsqueeze(1)
        scores = scores.masked_fill(mask != 0, float("-inf"))
    out = stable_softmax(scores) @ V
    return out.transpose(1, 2).reshape(q.shape[0], q.shape[1], d_model) @ out_proj_weight.T
