"""The softmax over all keys, then hidden weights are set to zero and the rest shared out anew: the same numbers."""

import math


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise AssertionError("heads must divide the features")
    w_q, w_k, w_v = in_proj_weight.view(3, d_model, d_model)

    def heads(x):
        return x.unflatten(2, (num_heads, d_model // num_heads)).swapaxes(1, 2)

    Q, K, V = heads(q @ w_q.mT), heads(k @ w_k.mT), heads(v @ w_v.mT)
    weights = (Q @ K.mT / math.sqrt(Q.size(3))).softmax(-1)
    if mask is not None:
        seen = (mask == 0).to(weights.dtype)
        weights = weights * (seen.unsqueeze(1) if seen.ndim == 3 else seen)
        weights = weights / weights.sum(-1, keepdim=True)
    return (weights @ V).swapaxes(1, 2).flatten(2) @ out_proj_weight.mT
