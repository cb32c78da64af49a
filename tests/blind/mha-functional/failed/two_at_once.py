"""Two mistakes: the mask is inverted, and the softmax runs over the queries."""
import math
import torch


def attention(q, k, v, visible):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if visible is not None:
        scores = scores.masked_fill(visible == 0, -1e9)
    return torch.softmax(scores, dim=2) @ v


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    b = q.size(0)
    wq, wk, wv = in_proj_weight.chunk(3)
    q, k, v = ((x @ w.T).view(b, -1, num_heads, d_model // num_heads).transpose(1, 2) for x, w in ((q, wq), (k, wk), (v, wv)))
    m = None if mask is None else mask.unsqueeze(-3)
    return attention(q, k, v, m).transpose(1, 2).reshape(b, -1, d_model) @ out_proj_weight.T
