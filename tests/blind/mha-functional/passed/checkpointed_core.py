"""The core of attention is recomputed in the backward pass to save memory."""

import math

import torch
from torch.utils.checkpoint import checkpoint


def _core(q, k, v, hidden):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if hidden is not None:
        scores = scores.masked_fill(hidden, -math.inf)
    return scores.softmax(-1) @ v


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    hidden = None
    if mask is not None:
        hidden = mask.bool().expand(q.shape[0], q.shape[1], k.shape[1]).unsqueeze(1)
    q, k, v = [(x @ w.T).unflatten(-1, (num_heads, -1)).transpose(1, 2) for x, w in zip([q, k, v], in_proj_weight.chunk(3))]
    if torch.is_grad_enabled() and q.requires_grad:
        out = checkpoint(_core, q, k, v, hidden, use_reentrant=False)
    else:
        out = _core(q, k, v, hidden)
    return out.transpose(1, 2).flatten(2) @ out_proj_weight.T
