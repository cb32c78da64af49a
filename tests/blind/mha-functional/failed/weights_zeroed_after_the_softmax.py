"""Multi-head attention that zeroes hidden weights once the softmax is done.

Idea: The mask is applied after the softmax, so that the remaining weights no longer add up to one.
Where: everywhere that a mask is given
"""

import torch
import torch.nn.functional as F


def attention_weights(Q, K, hidden=None):
    weights = F.softmax(Q @ K.mT / Q.size(-1) ** 0.5, dim=-1)
    if hidden is not None:
        weights = weights.masked_fill(hidden, 0.0)
    return weights


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    w = in_proj_weight.unflatten(0, (3, d_model))
    Q, K, V = (F.linear(x, w[i]).unflatten(-1, (num_heads, -1)).transpose(1, 2) for i, x in enumerate((q, k, v)))
    hidden = None
    if mask is not None:
        hidden = mask.bool().expand(q.size(0), q.size(1), k.size(1)).unsqueeze(1)
    context = attention_weights(Q, K, hidden) @ V
    return F.linear(context.transpose(1, 2).flatten(-2), out_proj_weight)
