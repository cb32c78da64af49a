"""There is no check that num_heads divides d_model; a RuntimeError comes from view instead."""
import torch
import torch.nn.functional as F


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    head_dim = d_model // num_heads
    N, Lq, _ = q.shape
    _, Lk, _ = k.shape
    q = F.linear(q, in_proj_weight[:d_model]).reshape(N, Lq, num_heads, head_dim).transpose(1, 2)
    k = F.linear(k, in_proj_weight[d_model:-d_model]).reshape(N, Lk, num_heads, head_dim).transpose(1, 2)
    v = F.linear(v, in_proj_weight[-d_model:]).reshape(N, Lk, num_heads, head_dim).transpose(1, 2)
    scores = q @ k.mT * head_dim**-0.5
    if mask is not None:
        mask = mask.bool().broadcast_to(N, Lq, Lk)[:, None]
        scores = scores.masked_fill(mask, float("-inf"))
    x = F.softmax(scores, dim=-1) @ v
    return F.linear(x.transpose(1, 2).reshape(N, Lq, d_model), out_proj_weight)
