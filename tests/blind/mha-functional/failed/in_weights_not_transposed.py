"""Projections as x @ W.

Idea: The weights are stored (out, in), and the input projections use them without transposing.
Where: everywhere
Id: weights-not-transposed
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
    N, Lq, Lk, dh = q.shape[0], q.shape[1], k.shape[1], d_model // num_heads
    Wq, Wk, Wv = in_proj_weight[:d_model], in_proj_weight[d_model:2 * d_model], in_proj_weight[2 * d_model:]
    Q = torch.matmul(q, Wq).reshape(N, Lq, num_heads, dh).transpose(1, 2)
    K = torch.matmul(k, Wk).reshape(N, Lk, num_heads, dh).transpose(1, 2)
    V = torch.matmul(v, Wv).reshape(N, Lk, num_heads, dh).transpose(1, 2)
    scores = torch.matmul(Q, K.transpose(-2, -1)) / dh ** 0.5
    if mask is not None:
        scores.masked_fill_(torch.broadcast_to(mask.bool(), (N, Lq, Lk)).unsqueeze(1), float("-inf"))
    ctx = torch.matmul(scores.softmax(-1), V).transpose(1, 2).reshape(N, Lq, d_model)
    return torch.matmul(ctx, out_proj_weight.T)
