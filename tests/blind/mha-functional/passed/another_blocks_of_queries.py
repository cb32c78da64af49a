"""Multi-head attention over blocks of queries, all heads at once in each block."""
import torch
from torch import Tensor

BLOCK = 2


def multi_head_attention(
    q: Tensor, k: Tensor, v: Tensor, num_heads: int, d_model: int, mask: Tensor | None = None, *,
    in_proj_weight: Tensor, out_proj_weight: Tensor, block: int = BLOCK,
) -> Tensor:
    if d_model % num_heads:
        raise AssertionError("d_model % num_heads")
    size = d_model // num_heads
    n, lq, lk = len(q), q.size(1), k.size(1)
    Q = (q @ in_proj_weight[:d_model].T).reshape(n, lq, num_heads, size)
    K = (k @ in_proj_weight[d_model : 2 * d_model].T).reshape(n, lk, num_heads, size)
    V = (v @ in_proj_weight[2 * d_model :].T).reshape(n, lk, num_heads, size)
    hidden = None if mask is None else mask.bool().expand(n, lq, lk)
    parts = []
    for start in range(0, lq, block):
        rows = slice(start, start + block)
        scores = torch.einsum("nqhd,nkhd->nhqk", Q[:, rows], K) / size**0.5
        if hidden is not None:
            scores = scores.masked_fill(hidden[:, None, rows], -torch.inf)
        parts.append(torch.einsum("nhqk,nkhd->nqhd", scores.softmax(-1), V))
    return torch.cat(parts, 1).reshape(n, lq, d_model) @ out_proj_weight.T
