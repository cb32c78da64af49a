"""Turns the mask round with ~ before it becomes boolean.

Idea: ~ on integers gives -1 and -2, which are both true, so no key is hidden.
Where: only for masks of a signed integer dtype (an unsigned one fails the same way, floats crash)
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    N, A, B = q.size(0), q.size(1), k.size(1)
    Q = (q @ in_proj_weight[:d_model].T).view(N, A, num_heads, -1).permute(0, 2, 1, 3)
    K = (k @ in_proj_weight[d_model:2 * d_model].T).view(N, B, num_heads, -1).permute(0, 2, 3, 1)
    V = (v @ in_proj_weight[2 * d_model:].T).view(N, B, num_heads, -1).permute(0, 2, 1, 3)
    s = Q @ K / (d_model // num_heads) ** 0.5
    if mask is not None:
        visible = (~mask).bool().expand(N, A, B)
        s = torch.where(visible.unsqueeze(1), s, float("-inf"))
    return (s.softmax(-1) @ V).permute(0, 2, 1, 3).reshape(N, A, d_model) @ out_proj_weight.T
