"""The plain way: three slices of the weights, view and transpose, masked_fill, the library's softmax."""

import math

import torch
from torch.nn.functional import linear


def scaled_attention(q, k, v, mask):
    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask.bool(), float("-inf"))
    return torch.matmul(torch.softmax(scores, dim=-1), v)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
    batch, queries, _ = q.shape
    keys = k.shape[1]
    d_head = d_model // num_heads
    w_q, w_k, w_v = in_proj_weight[:d_model], in_proj_weight[d_model : 2 * d_model], in_proj_weight[2 * d_model :]
    Q = linear(q, w_q).view(batch, queries, num_heads, d_head).transpose(1, 2)
    K = linear(k, w_k).view(batch, keys, num_heads, d_head).transpose(1, 2)
    V = linear(v, w_v).view(batch, keys, num_heads, d_head).transpose(1, 2)
    if mask is not None and mask.dim() == 3:
        mask = mask.unsqueeze(1)
    heads = scaled_attention(Q, K, V, mask)
    return linear(heads.transpose(1, 2).reshape(batch, queries, d_model), out_proj_weight)
