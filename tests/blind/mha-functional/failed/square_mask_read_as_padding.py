"""Multi-head attention that accepts padding masks (N, L_k) besides the others.

Idea: A mask of two axes is read as one row per sequence if its first axis is as long as the batch.
Where: only when the mask is (L_q, L_k) and L_q equals N
"""

import torch
from torch import Tensor


def expand_mask(mask: Tensor, n: int, lq: int, lk: int) -> Tensor:
    if mask.dim() == 2 and mask.size(0) == n:
        mask = mask[:, None, :]
    return mask.bool().expand(n, lq, lk)[:, None]


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    n, lq, lk = q.size(0), q.size(1), k.size(1)
    Q, K, V = [torch.stack((x @ w.T).chunk(num_heads, -1), 1) for x, w in zip((q, k, v), in_proj_weight.chunk(3))]
    scores = Q @ K.mT / (d_model // num_heads) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(expand_mask(mask, n, lq, lk), -torch.inf)
    y = scores.softmax(-1) @ V
    return y.permute(0, 2, 1, 3).reshape(n, lq, d_model) @ out_proj_weight.T
