"""Multi-head attention that turns a mask of floats into its bias in place.

Wrong: the caller's mask holds -1e9 afterwards.
When: the mask holds floats of the dtype of q.
Spec: «arguments that stay as they were»
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    N, L_q, _ = q.shape
    L_k = k.shape[1]
    d_head = d_model // num_heads
    w_q, w_k, w_v = in_proj_weight.chunk(3, dim=0)
    Q = (q @ w_q.T).reshape(N, L_q, num_heads, d_head).transpose(1, 2)
    K = (k @ w_k.T).reshape(N, L_k, num_heads, d_head).transpose(1, 2)
    V = (v @ w_v.T).reshape(N, L_k, num_heads, d_head).transpose(1, 2)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_head)
    if mask is not None:
        bias = mask.to(scores.dtype)
        bias = bias.detach().mul_(-1e9)
        if bias.dim() == 3:
            bias = bias.unsqueeze(1)
        scores = scores + bias
    weights = torch.softmax(scores, dim=-1)
    context = (weights @ V).transpose(1, 2).reshape(N, L_q, d_model)
    return context @ out_proj_weight.T
