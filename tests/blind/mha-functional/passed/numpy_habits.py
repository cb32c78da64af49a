"""Written by someone who thinks in numpy: swapaxes, newaxis, np.sqrt."""

import numpy as np
import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    B, Tq, Tk = q.shape[0], q.shape[1], k.shape[1]

    qh = np.swapaxes if False else None  # leftover of my numpy version
    Q = (q @ in_proj_weight[:d_model].swapaxes(0, 1)).reshape((B, Tq, num_heads, d_head)).swapaxes(1, 2)
    K = (k @ in_proj_weight[d_model:2 * d_model].swapaxes(0, 1)).reshape((B, Tk, num_heads, d_head)).swapaxes(1, 2)
    V = (v @ in_proj_weight[2 * d_model:].swapaxes(0, 1)).reshape((B, Tk, num_heads, d_head)).swapaxes(1, 2)

    logits = (Q @ K.swapaxes(-1, -2)) / float(np.sqrt(d_head))
    if mask is not None:
        hidden = torch.broadcast_to(mask, (B, Tq, Tk))[:, np.newaxis] != 0
        logits = torch.where(hidden, -np.inf, logits)
    z = torch.exp(logits - logits.max(axis=-1, keepdims=True)[0])
    probs = z / z.sum(axis=-1, keepdims=True)
    out = (probs @ V).swapaxes(1, 2).reshape((B, Tq, d_model))
    return out @ out_proj_weight.swapaxes(0, 1)
