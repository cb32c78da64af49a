"""Multi-head attention where the mask becomes a bias tensor of 0 and -inf that is added to the scores.

Wrong: the mask itself is added to the scores, so a hidden key gets one more.
Condition: any mask that hides something.
Spec: "Multiplying scores by a mask, or adding a 1 to them, hides nothing."
"""
from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F


def _bias(mask: Tensor | None, like: Tensor) -> Tensor | float:
    if mask is None:
        return 0.0
    bias = torch.zeros(mask.shape, dtype=like.dtype, device=like.device)
    bias = bias + mask.to(like.dtype)
    return bias.unsqueeze(-3)


def multi_head_attention(
    q: Tensor, k: Tensor, v: Tensor, num_heads: int, d_model: int, mask: Tensor | None = None,
    *, in_proj_weight: Tensor, out_proj_weight: Tensor,
) -> Tensor:
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    batch, n_query = q.shape[:2]
    d_head = d_model // num_heads
    projected = [F.linear(x, w) for x, w in zip((q, k, v), in_proj_weight.split(d_model))]
    Q, K, V = (x.reshape(batch, -1, num_heads, d_head).transpose(1, 2) for x in projected)
    Q = Q * d_head**-0.5
    logits = Q.matmul(K.transpose(-1, -2))
    logits = logits + _bias(mask, logits)
    context = F.softmax(logits, dim=-1).matmul(V)
    context = context.transpose(1, 2).contiguous().view(batch, n_query, d_model)
    return F.linear(context, out_proj_weight)
