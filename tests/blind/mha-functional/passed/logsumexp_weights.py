"""Attention weights as exp(scores - logsumexp(scores))."""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model % num_heads != 0")
    N, Lq, D = q.shape
    Lk = k.shape[-2]
    w = in_proj_weight.reshape(3, d_model, d_model)
    Q = (q @ w[0].T).reshape(N, Lq, num_heads, -1).permute(0, 2, 1, 3)
    K = (k @ w[1].T).reshape(N, Lk, num_heads, -1).permute(0, 2, 3, 1)
    V = (v @ w[2].T).reshape(N, Lk, num_heads, -1).permute(0, 2, 1, 3)
    S = Q @ K * (d_model // num_heads) ** (-1 / 2)
    if mask is not None:
        hide = torch.broadcast_to(mask != 0, (N, Lq, Lk)).reshape(N, 1, Lq, Lk)
        S = S.masked_fill(hide, -torch.inf)
    P = (S - S.logsumexp(-1, keepdim=True)).exp()
    return (P @ V).permute(0, 2, 1, 3).reshape(N, Lq, D) @ out_proj_weight.T
