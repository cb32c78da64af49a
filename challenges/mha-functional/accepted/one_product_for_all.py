"""All three inputs through all weights in one product, of which a third is kept; double precision inside."""

import torch
from torch.nn.functional import linear


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    n, l_q, l_k = len(q), q.shape[1], k.shape[1]
    every = linear(torch.cat((q, k, v), dim=1).double(), in_proj_weight.double())
    Q = every[:, :l_q, :d_model].unflatten(-1, (num_heads, -1))
    K = every[:, l_q : l_q + l_k, d_model : 2 * d_model].unflatten(-1, (num_heads, -1))
    V = every[:, l_q + l_k :, 2 * d_model :].unflatten(-1, (num_heads, -1))
    scores = torch.einsum("nqhd,nkhd->nqhk", Q, K) / Q.shape[-1] ** 0.5
    if mask is not None:
        hidden = mask.bool().broadcast_to(n, l_q, l_k)
        scores[hidden.unsqueeze(2).expand_as(scores)] = float("-inf")
    heads = torch.einsum("nqhk,nkhd->nqhd", scores.softmax(-1), V)
    return linear(heads.flatten(2), out_proj_weight.double()).to(q.dtype)
