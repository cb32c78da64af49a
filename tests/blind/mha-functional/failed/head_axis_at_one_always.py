"""Adds the axis for the heads at place 1 whatever the mask looks like.

Idea: A mask (L_q, L_k) becomes (L_q, 1, L_k), so its queries are laid onto the sequences.
Where: only for masks of two axes (a silent error when N is L_q, a crash otherwise)
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    B, T, S = q.size(0), q.size(1), k.size(1)
    w = in_proj_weight
    q = torch.matmul(q, w[:d_model].t()).view(B, T, num_heads, -1).transpose(1, 2)
    k = torch.matmul(k, w[d_model:2 * d_model].t()).view(B, S, num_heads, -1).transpose(1, 2)
    v = torch.matmul(v, w[2 * d_model:].t()).view(B, S, num_heads, -1).transpose(1, 2)
    att = torch.matmul(q, k.transpose(-2, -1)) / k.size(-1) ** 0.5
    if mask is not None:
        att = att.masked_fill(mask.bool().unsqueeze(1), float("-inf"))
    y = torch.matmul(att.softmax(dim=-1), v)
    return torch.matmul(y.transpose(1, 2).reshape(B, T, d_model), out_proj_weight.t())
