"""The maximum of what is seen, exp of all, then hidden ones are set to zero and the rest is shared out."""

import math

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise AssertionError("heads must divide the features")
    w_q, w_k, w_v = in_proj_weight.view(3, d_model, d_model)

    def heads(x):
        return x.unflatten(2, (num_heads, d_model // num_heads)).swapaxes(1, 2)

    Q, K, V = heads(q @ w_q.mT), heads(k @ w_k.mT), heads(v @ w_v.mT)
    scores = Q @ K.mT / math.sqrt(Q.size(3))
    hidden = torch.zeros((), dtype=torch.bool) if mask is None else mask.bool().unsqueeze(-3)
    top = scores.detach().masked_fill(hidden, -math.inf).amax(-1, keepdim=True)
    weights = (scores - top).clamp(max=0).exp() * ~hidden
    weights = weights / weights.sum(-1, keepdim=True)
    return (weights @ V).swapaxes(1, 2).flatten(2) @ out_proj_weight.mT
