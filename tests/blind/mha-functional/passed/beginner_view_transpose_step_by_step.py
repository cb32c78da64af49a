"""Multi-head attention, written out one step at a time with view and transpose."""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    # the heads must share the features evenly
    assert d_model % num_heads == 0, "num_heads has to divide d_model"
    d_head = d_model // num_heads

    # lengths: the queries and the keys may have different ones!
    batch = q.shape[0]
    q_len = q.shape[1]
    k_len = k.shape[1]

    # 1) three blocks of rows
    w_q = in_proj_weight[0:d_model]
    w_k = in_proj_weight[d_model : 2 * d_model]
    w_v = in_proj_weight[2 * d_model : 3 * d_model]
    Q = q @ w_q.T
    K = k @ w_k.T
    V = v @ w_v.T

    # 2) (N, L, d_model) -> (N, L, H, d_head) -> (N, H, L, d_head)
    Q = Q.view(batch, q_len, num_heads, d_head).transpose(1, 2)
    K = K.view(batch, k_len, num_heads, d_head).transpose(1, 2)
    V = V.view(batch, k_len, num_heads, d_head).transpose(1, 2)

    # 3) attention
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_head)
    if mask is not None:
        # blow the mask up to its full size first, then add the axis for the heads
        hidden = mask.bool().expand(batch, q_len, k_len)
        scores = scores.masked_fill(hidden.unsqueeze(1), float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    context = weights @ V

    # 4) back to (N, L, d_model)
    context = context.transpose(1, 2).contiguous().view(batch, q_len, d_model)
    return context @ out_proj_weight.T
