"""The merge puts the features of a head outside and the heads inside.

Idea: Heads are merged in the order (feature, head), so they are interleaved and not side by side.
Where: everywhere (with 1 < num_heads < d_model)
Id: head-order
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise AssertionError("d_model % num_heads != 0")
    dh = d_model // num_heads
    n, lq, _ = q.shape
    lk = k.shape[1]
    w = in_proj_weight.view(3, d_model, d_model) if in_proj_weight.is_contiguous() else in_proj_weight.reshape(3, d_model, d_model)
    Q = torch.einsum("nli,oi->nlo", q, w[0]).view(n, lq, num_heads, dh).permute(0, 2, 1, 3)
    K = torch.einsum("nli,oi->nlo", k, w[1]).view(n, lk, num_heads, dh).permute(0, 2, 1, 3)
    V = torch.einsum("nli,oi->nlo", v, w[2]).view(n, lk, num_heads, dh).permute(0, 2, 1, 3)
    A = Q @ K.permute(0, 1, 3, 2) * dh ** -0.5
    if mask is not None:
        A = A + torch.zeros_like(A).masked_fill(mask.bool().expand(n, lq, lk).unsqueeze(1), -torch.inf)
    O = torch.softmax(A, dim=-1) @ V
    O = O.permute(0, 2, 3, 1).reshape(n, lq, d_model)
    return O @ out_proj_weight.T
