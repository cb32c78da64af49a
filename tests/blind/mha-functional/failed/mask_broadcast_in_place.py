"""Wrong: the diagonal of a square mask is cleared in place, in the caller's own tensor, so that no query hides itself; a mask that hides the diagonal is changed and then disobeyed."""

import math

import torch
from torch import Tensor


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("num_heads must divide d_model")
    d_head = d_model // num_heads
    w_q, w_k, w_v = in_proj_weight.chunk(3)
    Q, K, V = q @ w_q.T, k @ w_k.T, v @ w_v.T
    Q = Q.reshape(Q.shape[0], Q.shape[1], num_heads, d_head).transpose(1, 2)
    K = K.reshape(K.shape[0], K.shape[1], num_heads, d_head).transpose(1, 2)
    V = V.reshape(V.shape[0], V.shape[1], num_heads, d_head).transpose(1, 2)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_head)
    if mask is not None:
        if mask.shape[-1] == mask.shape[-2]:
            mask.diagonal(dim1=-2, dim2=-1).zero_()
        scores = scores.masked_fill(mask.bool().unsqueeze(-3), float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    merged = (weights @ V).transpose(1, 2).reshape(q.shape[0], q.shape[1], d_model)
    return merged @ out_proj_weight.T
