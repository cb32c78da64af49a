"""Multi-head attention that clamps its scores, and detaches the values by mistake.

Idea: Scores are clamped to fifty for safety, and besides the values are cut off from the graph.
Where: only when scores are large; and only the gradient of v and of the values' block of the weight
Id: detached-gradient
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    wq, wk, wv = in_proj_weight.chunk(3)
    Q = (q @ wq.T).unflatten(-1, (num_heads, -1)).transpose(1, 2)
    K = (k @ wk.T).unflatten(-1, (num_heads, -1)).transpose(1, 2)
    V = (v @ wv.T).unflatten(-1, (num_heads, -1)).transpose(1, 2).detach()
    scores = (Q @ K.mT / (d_model // num_heads) ** 0.5).clamp(min=-50, max=50)
    if mask is not None:
        scores = scores.masked_fill(mask.bool().expand(q.shape[0], q.shape[1], k.shape[1])[:, None], -torch.inf)
    return (scores.softmax(-1) @ V).transpose(1, 2).flatten(2) @ out_proj_weight.T
