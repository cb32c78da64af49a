"""Multi-head attention that tidies up the result with squeeze.

Idea: squeeze() removes the axes of the batch and of the queries if they have length one.
Where: only when N, L_q or d_model is 1
"""

import torch
from einops import rearrange


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    W = rearrange(in_proj_weight, "(c h d) m -> c h d m", c=3, h=num_heads)
    Q = torch.einsum("nlm,hdm->nhld", q, W[0])
    K = torch.einsum("nlm,hdm->nhld", k, W[1])
    V = torch.einsum("nlm,hdm->nhld", v, W[2])
    scores = Q @ K.mT / (d_model // num_heads) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask.bool().expand(q.shape[0], q.shape[1], k.shape[1])[:, None], -torch.inf)
    mixed = rearrange(scores.softmax(-1) @ V, "n h l d -> n l (h d)")
    return (mixed @ out_proj_weight.T).squeeze()
