"""Multi-head attention with the fused weight read as keys, queries, values.

Idea: The first block of rows is used for the keys and the second for the queries.
Where: everywhere
Id: qk-swapped
"""

import torch
from torch import Tensor


def multi_head_attention(
    q: Tensor, k: Tensor, v: Tensor, num_heads: int, d_model: int, mask: Tensor | None = None,
    *, in_proj_weight: Tensor, out_proj_weight: Tensor,
) -> Tensor:
    if d_model % num_heads != 0:
        raise ValueError(num_heads)
    k_weight, q_weight, v_weight = in_proj_weight.chunk(3, dim=0)

    def project(x: Tensor, w: Tensor) -> Tensor:
        return (x @ w.t()).unflatten(-1, (num_heads, -1)).movedim(2, 1)

    Q, K, V = project(q, q_weight), project(k, k_weight), project(v, v_weight)
    scores = (Q @ K.movedim(-1, -2)) / (d_model // num_heads) ** 0.5
    if mask is not None:
        mask = mask.to(torch.bool).broadcast_to(q.size(0), q.size(1), k.size(1))
        scores = scores.masked_fill(mask.unsqueeze(1), float("-inf"))
    return (scores.softmax(-1) @ V).movedim(1, 2).flatten(2) @ out_proj_weight.t()
