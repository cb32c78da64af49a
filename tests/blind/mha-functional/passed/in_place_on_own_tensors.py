"""In-place operations, but only on tensors that were made here."""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model % num_heads must be 0")
    n, lq, lk, dh = q.shape[0], q.shape[1], k.shape[1], d_model // num_heads
    wq, wk, wv = in_proj_weight.unflatten(0, (3, -1))
    qh = (q @ wq.T).view(n, lq, num_heads, dh).transpose(1, 2)
    kh = (k @ wk.T).view(n, lk, num_heads, dh).permute(0, 2, 3, 1)
    vh = (v @ wv.T).view(n, lk, num_heads, dh).transpose(1, 2)
    scores = torch.matmul(qh, kh)
    scores.div_(math.sqrt(dh))
    if mask is not None:
        hidden = mask.clone().bool()
        while hidden.dim() < 3:
            hidden.unsqueeze_(0)
        hidden = hidden.unsqueeze(1)
        scores.masked_fill_(hidden, -math.inf)
    weights = scores.softmax(-1)
    del scores
    return (weights @ vh).transpose(1, 2).reshape(n, lq, d_model) @ out_proj_weight.T
