"""Takes the blocks of the weight from behind.

Idea: The blocks are read as values, keys, queries, which is the wrong way round.
Where: everywhere
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("num_heads must divide d_model")
    w = in_proj_weight.unflatten(0, (3, num_heads, d_model // num_heads))
    Q = torch.einsum("nld,hed->nlhe", q, w[-1])
    K = torch.einsum("nld,hed->nlhe", k, w[-2])
    V = torch.einsum("nld,hed->nlhe", v, w[-3])
    s = torch.einsum("nqhe,nkhe->hnqk", Q, K) / (d_model // num_heads) ** 0.5
    if mask is not None:
        s = s.masked_fill(mask.bool(), float("-inf"))
    s = s - s.amax(-1, keepdim=True)
    p = s.exp() / s.exp().sum(-1, keepdim=True)
    return torch.einsum("hnqk,nkhe->nqhe", p, V).reshape(q.shape) @ out_proj_weight.T
