# Says: The `mask` (N, L_q, L_k) lacks an axis for the heads when it meets `scores` (N, heads, L_q, L_k): do `mask.unsqueeze(1)` first.
# Line: 13
# Names: mask, unsqueeze(1), heads
# Kind: crash
import math

import torch


def attention(Q, K, V, mask):
    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(Q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask.bool(), float("-inf"))
    return torch.matmul(torch.softmax(scores, dim=-1), V)


def split_heads(x, num_heads):
    n, l, d = x.shape
    return x.reshape(n, l, num_heads, d // num_heads).transpose(1, 2)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    Wq, Wk, Wv = torch.chunk(in_proj_weight, 3)
    Q = split_heads(torch.matmul(q, Wq.t()), num_heads)
    K = split_heads(torch.matmul(k, Wk.t()), num_heads)
    V = split_heads(torch.matmul(v, Wv.t()), num_heads)
    y = attention(Q, K, V, mask)
    y = y.transpose(1, 2).reshape(q.shape[0], q.shape[1], d_model)
    return torch.matmul(y, out_proj_weight.t())
