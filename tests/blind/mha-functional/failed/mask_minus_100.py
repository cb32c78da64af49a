"""Hidden scores get -100 added, which is not enough where hidden keys have scores of several hundred."""
import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    N, L_q, _ = q.shape
    L_k = k.shape[1]

    w_q = in_proj_weight[:d_model]
    w_k = in_proj_weight[d_model : 2 * d_model]
    w_v = in_proj_weight[2 * d_model :]
    Q = (q @ w_q.T).reshape(N, L_q, num_heads, d_head).transpose(1, 2)
    K = (k @ w_k.T).reshape(N, L_k, num_heads, d_head).transpose(1, 2)
    V = (v @ w_v.T).reshape(N, L_k, num_heads, d_head).transpose(1, 2)

    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_head)
    if mask is not None:
        mask = mask.bool()
        if mask.dim() == 3:
            mask = mask.unsqueeze(1)
        scores = scores - 100.0 * mask.to(scores.dtype)
    weights = torch.softmax(scores, dim=-1)
    out = weights @ V
    out = out.transpose(1, 2).reshape(N, L_q, d_model)
    return out @ out_proj_weight.T
