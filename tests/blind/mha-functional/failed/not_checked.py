"""A d_model that num_heads does not divide raises no error."""
import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    d_head = d_model // num_heads
    used = d_head * num_heads
    N, L_q, _ = q.shape
    L_k = k.shape[1]

    w_q = in_proj_weight[:d_model]
    w_k = in_proj_weight[d_model : 2 * d_model]
    w_v = in_proj_weight[2 * d_model :]
    Q = (q @ w_q.T)[..., :used].reshape(N, L_q, num_heads, d_head).transpose(1, 2)
    K = (k @ w_k.T)[..., :used].reshape(N, L_k, num_heads, d_head).transpose(1, 2)
    V = (v @ w_v.T)[..., :used].reshape(N, L_k, num_heads, d_head).transpose(1, 2)

    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_head)
    if mask is not None:
        mask = mask.bool()
        if mask.dim() == 3:
            mask = mask.unsqueeze(1)
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    out = weights @ V
    out = out.transpose(1, 2).reshape(N, L_q, used)
    return out @ out_proj_weight[:, :used].T
