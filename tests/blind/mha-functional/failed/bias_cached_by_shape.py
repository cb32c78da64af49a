"""Caches the bias that it makes from the mask.

Idea: The cache is keyed by the shape of the mask only, so a second mask of that shape is answered with the first.
Where: only from the second mask of the same shape on
Id: stale-cache
"""

import torch

_biases = {}


def bias_for(mask, dtype):
    key = (tuple(mask.shape), dtype)
    if key not in _biases:
        _biases[key] = torch.zeros(mask.shape, dtype=dtype).masked_fill(mask.bool(), float("-inf"))
    return _biases[key]


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model must be divisible by num_heads")
    w = in_proj_weight.reshape(3, d_model, d_model).mT
    Q, K, V = ((x @ w[i]).unflatten(-1, (num_heads, -1)).movedim(2, 1) for i, x in enumerate((q, k, v)))
    s = Q @ K.mT / Q.size(-1) ** 0.5
    if mask is not None:
        b = bias_for(mask, s.dtype)
        s = s + (b.unsqueeze(1) if b.dim() == 3 else b)
    return (s.softmax(-1) @ V).movedim(1, 2).flatten(2) @ out_proj_weight.T
