"""The heads are merged while they still stand before the tokens.

Idea: The heads are not moved back before they are merged, so tokens and features get mixed.
Where: everywhere (with more than one head and more than one query)
Id: missing-transpose-back
"""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    d_head = d_model // num_heads
    batch, len_q, len_k = q.size(0), q.size(1), k.size(1)
    w_q, w_k, w_v = in_proj_weight.tensor_split(3)
    Q = torch.matmul(q, w_q.T).view(batch, len_q, num_heads, d_head).transpose(1, 2)
    K = torch.matmul(k, w_k.T).view(batch, len_k, num_heads, d_head).transpose(1, 2)
    V = torch.matmul(v, w_v.T).view(batch, len_k, num_heads, d_head).transpose(1, 2)
    scores = torch.matmul(Q, K.transpose(-1, -2)) / math.sqrt(d_head)
    if mask is not None:
        scores = scores.masked_fill(mask.bool().expand(batch, len_q, len_k).unsqueeze(1), -math.inf)
    out = torch.matmul(torch.softmax(scores, -1), V)
    out = out.contiguous().view(batch, len_q, d_model)
    return torch.matmul(out, out_proj_weight.T)
