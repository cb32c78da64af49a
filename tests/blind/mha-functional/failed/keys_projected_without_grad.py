"""The keys are projected under no_grad.

Idea: The keys are treated as constants, so neither k nor its block of the weight gets a gradient through the scores.
Where: only the gradient of k and of the key block of in_proj_weight
Id: detached-gradient
"""

import torch
from einops import rearrange


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("heads do not divide")
    wq, wk, wv = in_proj_weight.chunk(3)
    Q = rearrange(q @ wq.T, "b l (h d) -> b h l d", h=num_heads)
    with torch.no_grad():
        K = rearrange(k @ wk.T, "b l (h d) -> b h d l", h=num_heads)
    V = rearrange(v @ wv.T, "b l (h d) -> b h l d", h=num_heads)
    S = Q @ K * (d_model // num_heads) ** -0.5
    if mask is not None:
        S = S.masked_fill(mask.bool().expand(q.shape[0], q.shape[1], k.shape[1]).unsqueeze(1), float("-inf"))
    return rearrange(S.softmax(-1) @ V, "b h l d -> b l (h d)") @ out_proj_weight.T
