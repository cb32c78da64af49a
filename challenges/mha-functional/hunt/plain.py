"""Multi-head attention over given weights: chunk, view and transpose, one step a line."""

import math

import torch
from torch import Tensor


def multi_head_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    num_heads: int,
    d_model: int,
    mask: Tensor | None = None,
    *,
    in_proj_weight: Tensor,
    out_proj_weight: Tensor,
) -> Tensor:
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    head_dim = d_model // num_heads
    N, L_q, _ = q.shape
    L_k = k.shape[1]

    W_q, W_k, W_v = in_proj_weight.chunk(3, dim=0)
    Q = q @ W_q.T
    K = k @ W_k.T
    V = v @ W_v.T

    Q = Q.view(N, L_q, num_heads, head_dim).transpose(1, 2)
    K = K.view(N, L_k, num_heads, head_dim).transpose(1, 2)
    V = V.view(N, L_k, num_heads, head_dim).transpose(1, 2)

    scores = Q @ K.transpose(-2, -1)
    scores = scores / math.sqrt(head_dim)
    if mask is not None:
        mask = mask.bool()
        if mask.dim() == 3:
            mask = mask.unsqueeze(1)
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)

    context = weights @ V
    context = context.transpose(1, 2).reshape(N, L_q, d_model)
    return context @ out_proj_weight.T
