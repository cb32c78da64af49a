"""Attention whose shapes are written as jaxtyping annotations."""

import torch
from einops import rearrange
from jaxtyping import Float, Shaped
from torch import Tensor


def multi_head_attention(
    q: Float[Tensor, "n lq d"],
    k: Float[Tensor, "n lk d"],
    v: Float[Tensor, "n lk d"],
    num_heads: int,
    d_model: int,
    mask: Shaped[Tensor, "..."] | None = None,
    *,
    in_proj_weight: Float[Tensor, "three_d d"],
    out_proj_weight: Float[Tensor, "d d"],
) -> Float[Tensor, "n lq d"]:
    assert d_model % num_heads == 0, "num_heads must divide d_model"
    d_head: int = d_model // num_heads
    Wq: Float[Tensor, "d d"] = in_proj_weight[0:d_model, :]
    Wk: Float[Tensor, "d d"] = in_proj_weight[d_model:2 * d_model, :]
    Wv: Float[Tensor, "d d"] = in_proj_weight[2 * d_model:3 * d_model, :]
    Q: Float[Tensor, "n h lq e"] = rearrange(q @ Wq.T, "n l (h e) -> n h l e", h=num_heads, e=d_head)
    K: Float[Tensor, "n h lk e"] = rearrange(k @ Wk.T, "n l (h e) -> n h l e", h=num_heads, e=d_head)
    V: Float[Tensor, "n h lk e"] = rearrange(v @ Wv.T, "n l (h e) -> n h l e", h=num_heads, e=d_head)
    scores: Float[Tensor, "n h lq lk"] = torch.einsum("nhqe,nhke->nhqk", Q, K) / d_head**0.5
    if mask is not None:
        scores = scores.masked_fill(mask.bool().expand(q.shape[0], q.shape[1], k.shape[1])[:, None], -torch.inf)
    heads: Float[Tensor, "n h lq e"] = torch.softmax(scores, dim=-1) @ V
    return rearrange(heads, "n h l e -> n l (h e)") @ out_proj_weight.T
