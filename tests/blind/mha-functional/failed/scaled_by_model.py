"""Scores are divided by the root of d_model instead of d_head."""
import numpy as np
import torch


def scaled_dot(query, key, value, dk, hidden=None):
    logits = query.matmul(key.transpose(-2, -1)) / np.sqrt(dk)
    if hidden is not None:
        logits = logits.masked_fill(hidden, -1e9)
    return torch.softmax(logits, dim=-1).matmul(value)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    split = lambda t: t.view(t.size(0), t.size(1), num_heads, -1).transpose(1, 2)
    wq, wk, wv = torch.split(in_proj_weight, d_model, dim=0)
    hidden = None if mask is None else mask.bool().unsqueeze(-3)
    out = scaled_dot(split(q @ wq.T), split(k @ wk.T), split(v @ wv.T), d_model, hidden)
    return out.transpose(1, 2).reshape(q.size(0), q.size(1), d_model) @ out_proj_weight.T
