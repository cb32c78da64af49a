"""Negates the mask in place.

Idea: The caller's mask is turned round in place.
Where: only when a mask is given: the argument is changed
Id: input-mutated
"""

import math

import torch
from torch import Tensor


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    x = in_query_or_key
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], d_k // 2, 2).contiguous())
    freq = torch.pow(float(theta), -torch.arange(0, d_k, 2, dtype=torch.float64, device=x.device) / d_k)
    angle = token_positions[..., None].double() * freq
    turn = torch.polar(torch.ones_like(angle), angle).to(pairs.dtype)
    return torch.view_as_real(pairs * turn).flatten(-2)


def _softmax(scores: Tensor) -> Tensor:
    shifted = scores - scores.amax(dim=-1, keepdim=True).detach()
    e = shifted.exp()
    return e / e.sum(dim=-1, keepdim=True)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = torch.matmul(Q, K.mT) / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not_(), -math.inf)
    return torch.matmul(_softmax(scores), V)


def multihead_self_attention_with_rope(
    d_model: int,
    num_heads: int,
    max_seq_len: int,
    theta: float,
    q_proj_weight: Tensor,
    k_proj_weight: Tensor,
    v_proj_weight: Tensor,
    o_proj_weight: Tensor,
    in_features: Tensor,
    token_positions: Tensor | None = None,
) -> Tensor:
    if d_model % num_heads:
        raise ValueError("d_model % num_heads must be 0")
    d_head = d_model // num_heads

    def project(weight: Tensor) -> Tensor:
        per_head = weight.reshape(num_heads, d_head, d_model)
        return torch.einsum("...si,hdi->...hsd", in_features, per_head)

    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    elif token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(dim=-2)
    turned = [rope(d_head, theta, max_seq_len, project(w), token_positions) for w in (q_proj_weight, k_proj_weight)]
    out = scaled_dot_product_attention(*turned, project(v_proj_weight))
    o = o_proj_weight.reshape(d_model, num_heads, d_head)
    return torch.einsum("...hsd,ohd->...so", out, o).reshape(in_features.shape)
