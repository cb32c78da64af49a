"""Multi-head attention that peels off one head at a time.

Wrong: each head is computed by itself; the recursion is a loop over heads.
When: every call with more than one head.
Spec: «**Attend**, in all heads at once» and «no loop over heads»
"""

import torch
from einops import rearrange
from torch import Tensor


def project(x: Tensor, weight: Tensor, heads: int) -> Tensor:
    return rearrange(torch.einsum("nld,ed->nle", x, weight), "n l (h f) -> n h l f", h=heads)


def hide(scores: Tensor, mask: Tensor | None) -> Tensor:
    if mask is None:
        return scores
    mask = mask != 0
    mask = rearrange(mask, "n q k -> n 1 q k") if mask.ndim == 3 else mask
    return torch.where(mask, -torch.inf, scores)


def attend(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None) -> Tensor:
    if Q.shape[1] == 0:
        return Q
    scores = torch.einsum("nhqf,nhkf->nhqk", Q[:, :1], K[:, :1]) * Q.shape[-1] ** -0.5
    first = torch.einsum("nhqk,nhkf->nhqf", hide(scores, mask).softmax(-1), V[:, :1])
    return torch.cat([first, attend(Q[:, 1:], K[:, 1:], V[:, 1:], mask)], dim=1)


def multi_head_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    num_heads: int,
    d_model: int,
    mask: Tensor | None = None,
    *,
    in_proj_weight: Tensor,
    out_proj_weight: Tensor,
) -> Tensor:
    assert d_model % num_heads == 0, "heads must share the features evenly"
    w_q, w_k, w_v = in_proj_weight.split(d_model)
    Q, K, V = project(q, w_q, num_heads), project(k, w_k, num_heads), project(v, w_v, num_heads)
    merged = rearrange(attend(Q, K, V, mask), "n h q f -> n q (h f)")
    return torch.einsum("nld,ed->nle", merged, out_proj_weight)
