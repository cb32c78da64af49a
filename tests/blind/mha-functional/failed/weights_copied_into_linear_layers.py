"""Multi-head attention with nn.Linear layers that receive copies of the weights.

Idea: Weights are copied into fresh layers, so that no gradient reaches the weights that were given.
Where: everywhere that a gradient of the weights is asked
Id: detached-gradient
"""

import torch
from torch import nn


def _linear(weight):
    layer = nn.Linear(weight.shape[1], weight.shape[0], bias=False, dtype=weight.dtype)
    with torch.no_grad():
        layer.weight.copy_(weight)
    return layer


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    to_q, to_k, to_v = map(_linear, in_proj_weight.chunk(3))
    to_out = _linear(out_proj_weight)

    def heads(x):
        return x.reshape(x.shape[0], x.shape[1], num_heads, -1).transpose(1, 2)

    Q, K, V = heads(to_q(q)), heads(to_k(k)), heads(to_v(v))
    scores = Q @ K.transpose(2, 3) / (d_model // num_heads) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask.bool().expand(len(q), q.shape[1], k.shape[1])[:, None], -torch.inf)
    return to_out((scores.softmax(-1) @ V).transpose(1, 2).flatten(2))
