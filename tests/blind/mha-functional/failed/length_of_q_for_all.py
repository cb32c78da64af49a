"""Uses the length of q for keys and values too.

Idea: The keys and values are viewed with the length of q, which fails in cross-attention.
Where: only when L_k differs from L_q
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    batch, length, _ = q.shape
    d_head = d_model // num_heads
    w_q, w_k, w_v = in_proj_weight.chunk(3)
    Q = torch.matmul(q, w_q.T).view(batch, length, num_heads, d_head).transpose(1, 2)
    K = torch.matmul(k, w_k.T).view(batch, length, num_heads, d_head).transpose(1, 2)
    V = torch.matmul(v, w_v.T).view(batch, length, num_heads, d_head).transpose(1, 2)
    scores = torch.matmul(Q, K.transpose(2, 3)) / math.sqrt(d_head)
    if mask is not None:
        scores = scores.masked_fill(mask.bool().expand(batch, length, length).unsqueeze(1), -math.inf)
    out = torch.matmul(torch.softmax(scores, -1), V)
    return torch.matmul(out.transpose(1, 2).reshape(batch, length, d_model), out_proj_weight.T)
