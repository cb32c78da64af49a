"""Returns the output and the weights.

Idea: The result is a pair of output and weights; one tensor was asked for.
Where: everywhere
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    Q, K, V = (
        (x @ w.T).unflatten(-1, (num_heads, d_head)).transpose(1, 2)
        for x, w in zip((q, k, v), in_proj_weight.chunk(3))
    )
    scores = Q @ K.mT / d_head ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask.bool().expand(q.size(0), q.size(1), k.size(1)).unsqueeze(1), float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    out = (weights @ V).transpose(1, 2).flatten(2) @ out_proj_weight.T
    return out, weights.mean(1)
