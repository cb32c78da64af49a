"""Multi-head attention that leaves odd numbers of heads to reshape.

Idea: Nothing checks that num_heads divides d_model, so that reshape complains with a RuntimeError.
Where: only when num_heads does not divide d_model
Rule: divisibility-checked
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    d_head = d_model // num_heads
    N, L_q, L_k = q.size(0), q.size(1), k.size(1)
    W_q, W_k, W_v = in_proj_weight.chunk(3)
    Q = (q @ W_q.t()).reshape(N, L_q, num_heads, d_head).transpose(1, 2)
    K = (k @ W_k.t()).reshape(N, L_k, num_heads, d_head).transpose(1, 2)
    V = (v @ W_v.t()).reshape(N, L_k, num_heads, d_head).transpose(1, 2)
    S = Q @ K.transpose(2, 3) / d_head**0.5
    if mask is not None:
        S = S.masked_fill(mask.to(torch.bool).expand(N, L_q, L_k).unsqueeze(1), -torch.inf)
    A = S.softmax(dim=-1)
    return (A @ V).transpose(1, 2).reshape(N, L_q, d_model) @ out_proj_weight.t()
