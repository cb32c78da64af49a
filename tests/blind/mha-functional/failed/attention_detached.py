"""Detaches the attention weights, so queries and keys never learn."""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("embedding size must be divisible by the number of heads")
    N, L_q = q.shape[:2]
    L_k = k.shape[1]
    d = d_model // num_heads

    def fold(x, weight, length):
        y = torch.matmul(x, weight.transpose(0, 1))
        y = y.reshape(N, length, num_heads, d).permute(0, 2, 1, 3)
        return y.reshape(N * num_heads, length, d)

    Q = fold(q, in_proj_weight[0:d_model], L_q)
    K = fold(k, in_proj_weight[d_model : 2 * d_model], L_k)
    V = fold(v, in_proj_weight[2 * d_model : 3 * d_model], L_k)
    scores = torch.bmm(Q / math.sqrt(d), K.transpose(1, 2))
    if mask is not None:
        m = mask.expand(N, L_q, L_k).to(torch.bool)
        m = m.repeat_interleave(num_heads, dim=0)
        scores = scores.masked_fill(m, -math.inf)
    out = torch.bmm(torch.softmax(scores, 2).detach(), V)
    out = out.reshape(N, num_heads, L_q, d).permute(0, 2, 1, 3).reshape(N, L_q, d_model)
    return torch.matmul(out, out_proj_weight.transpose(0, 1))
