"""With (N * heads) in one axis the mask is repeated in the wrong order (repeat instead of repeat_interleave)."""
import math

import torch
import torch.nn.functional as F


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    d_head = d_model // num_heads
    n, l_q, l_k = q.shape[0], q.shape[1], k.shape[1]
    w_q, w_k, w_v = in_proj_weight.chunk(3, dim=0)
    Q = F.linear(q, w_q).reshape(n, l_q, num_heads, d_head).transpose(1, 2)
    K = F.linear(k, w_k).reshape(n, l_k, num_heads, d_head).transpose(1, 2)
    V = F.linear(v, w_v).reshape(n, l_k, num_heads, d_head).transpose(1, 2)
    Q, K, V = Q.flatten(0, 1), K.flatten(0, 1), V.flatten(0, 1)
    scores = torch.bmm(Q, K.transpose(1, 2)) / math.sqrt(d_head)
    if mask is not None:
        hidden = mask.to(torch.bool).expand(n, l_q, l_k).repeat(num_heads, 1, 1)
        scores = scores.masked_fill(hidden, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    out = (weights @ V).unflatten(0, (n, num_heads)).transpose(1, 2).reshape(n, l_q, d_model)
    return F.linear(out, out_proj_weight)
