"""Projects each distinct input once: with q, k and v the same tensor one product with the whole in_proj_weight, otherwise one for each tensor."""

import torch
from torch.nn.functional import linear


def projections(inputs, weights):
    """linear(x, w) for each pair, with one product for all pairs that share x."""
    groups: dict[int, list[int]] = {}
    for index, x in enumerate(inputs):
        groups.setdefault(id(x), []).append(index)
    results = [None] * len(inputs)
    for indices in groups.values():
        together = linear(inputs[indices[0]], torch.cat([weights[i] for i in indices]))
        for i, part in zip(indices, together.chunk(len(indices), dim=-1)):
            results[i] = part
    return results


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("num_heads must divide d_model")
    Q, K, V = (
        t.unflatten(-1, (num_heads, d_model // num_heads)).transpose(1, 2)
        for t in projections((q, k, v), in_proj_weight.chunk(3))
    )
    scores = Q.matmul(K.mT).div((d_model // num_heads) ** 0.5)
    if mask is not None:
        scores.masked_fill_(mask.bool().unsqueeze(-3), float("-inf"))
    return linear(scores.softmax(-1).matmul(V).transpose(1, 2).flatten(2), out_proj_weight)
