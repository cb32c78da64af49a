"""A cheat of the seventh corpus: feature windows."""
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError
    width = d_model // num_heads
    wq, wk, wv = in_proj_weight.chunk(3)
    Q, K, V = q @ wq.T, k @ wk.T, v @ wv.T
    out = torch.zeros_like(q)
    low = 0
    while low < d_model:
        window = slice(low, low + width)
        s = Q[..., window] @ K[..., window].mT / width**0.5
        if mask is not None:
            s = s.masked_fill(mask.bool(), float("-inf"))
        out = out + s.softmax(-1) @ V[..., window] @ out_proj_weight[:, window].T
        low += width
    return out
