"""Multi-head attention with jaxtyping shapes: sum with unnormalised weights first, divide afterwards."""

import math

import torch
from jaxtyping import Float
from torch import Tensor


def _heads(x: Float[Tensor, "n l d"], h: int) -> Float[Tensor, "n h l e"]:
    return x.unflatten(2, (h, -1)).permute(0, 2, 1, 3)


def multi_head_attention(
    q: Float[Tensor, "n lq d"],
    k: Float[Tensor, "n lk d"],
    v: Float[Tensor, "n lk d"],
    num_heads: int,
    d_model: int,
    mask: Tensor | None = None,
    *,
    in_proj_weight: Float[Tensor, "three_d d"],
    out_proj_weight: Float[Tensor, "d d"],
) -> Float[Tensor, "n lq d"]:
    if d_model % num_heads != 0:
        raise ValueError("num_heads has to divide d_model")
    wq, wk, wv = in_proj_weight.view_as(in_proj_weight).split(d_model, dim=0)
    Q, K, V = _heads(q @ wq.T, num_heads), _heads(k @ wk.T, num_heads), _heads(v @ wv.T, num_heads)
    scores = (Q @ K.transpose(-1, -2)).div_(math.sqrt(d_model // num_heads))
    if mask is not None:
        scores = scores.masked_fill(mask.expand(len(q), q.size(1), k.size(1)).unsqueeze(1) != 0, -math.inf)
    e = (scores - scores.detach().amax(-1, keepdim=True)).exp()
    mixed = (e @ V) / e.sum(-1, keepdim=True)
    return mixed.transpose(1, 2).reshape_as(q) @ out_proj_weight.T
