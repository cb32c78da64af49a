"""Multi-head attention with the mask of F.scaled_dot_product_attention.

Wrong: True is taken for 'may look'.
When: a mask is given.
Spec: «**1 or True means: this query must not see this key**»
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
    return torch.where(mask, scores, -1e30)


def attend(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None) -> Tensor:
    scores = torch.einsum("nhqf,nhkf->nhqk", Q, K) * Q.shape[-1] ** -0.5
    return torch.einsum("nhqk,nhkf->nhqf", hide(scores, mask).softmax(-1), V)


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
