"""Keys come in blocks, and the softmax is corrected as it runs."""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    n, lq, lk, dh = q.size(0), q.size(1), k.size(1), d_model // num_heads
    wq, wk, wv = in_proj_weight.chunk(3)
    Q = (q @ wq.T).reshape(n, lq, num_heads, dh).transpose(1, 2) / math.sqrt(dh)
    K = (k @ wk.T).reshape(n, lk, num_heads, dh).transpose(1, 2)
    V = (v @ wv.T).reshape(n, lk, num_heads, dh).transpose(1, 2)
    hidden = None if mask is None else mask.bool().expand(n, lq, lk).unsqueeze(1)

    lowest = torch.finfo(q.dtype).min
    top = torch.full((n, num_heads, lq, 1), lowest, dtype=q.dtype, device=q.device)
    total = torch.zeros_like(top)
    acc = torch.zeros_like(Q)
    step = 16
    for i in range(0, lk, step):
        s = Q @ K[:, :, i:i + step].mT
        if hidden is not None:
            s = s.masked_fill(hidden[..., i:i + step], -math.inf)
        new_top = torch.maximum(top, s.detach().amax(-1, keepdim=True))
        fix = torch.exp(top - new_top)
        e = torch.exp(s - new_top)
        total = total * fix + e.sum(-1, keepdim=True)
        acc = acc * fix + e @ V[:, :, i:i + step]
        top = new_top
    out = acc / total
    return out.transpose(1, 2).reshape(n, lq, d_model) @ out_proj_weight.T
