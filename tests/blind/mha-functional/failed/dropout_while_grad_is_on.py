"""Dropout of 0.1 while gradients are recorded.

Idea: Recording gradients is taken for training, and then a tenth of the weights is dropped.
Where: only while gradients are enabled and an argument requires one
"""

import math

import torch
import torch.nn.functional as F


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    training = torch.is_grad_enabled() and any(t.requires_grad for t in (q, k, v, in_proj_weight, out_proj_weight))
    q, k, v = (F.linear(x, w).unflatten(-1, (num_heads, -1)).transpose(1, 2) for x, w in zip((q, k, v), in_proj_weight.chunk(3)))
    scores = q @ k.mT / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask.bool().expand(q.size(0), q.size(2), k.size(2)).unsqueeze(1), -math.inf)
    weights = F.dropout(scores.softmax(-1), p=0.1, training=training)
    return F.linear((weights @ v).transpose(1, 2).flatten(2), out_proj_weight)
