"""The attention works through the queries in chunks."""

import math

import torch
from torch import Tensor


def _quarter_turn(x):
    """(x0, x1, x2, x3, ...) -> (-x1, x0, -x3, x2, ...)"""
    out = torch.empty_like(x)
    out[..., 0::2] = -x[..., 1::2]
    out[..., 1::2] = x[..., 0::2]
    return out


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    exponent = torch.arange(0, d_k, 2, device=in_query_or_key.device).double() / d_k
    angle = token_positions.double().unsqueeze(-1) / (theta ** exponent)
    angle = angle.repeat_interleave(2, dim=-1)
    x = in_query_or_key
    return x * angle.cos().to(x.dtype) + _quarter_turn(x) * angle.sin().to(x.dtype)


CHUNK = 3


def scaled_dot_product_attention(Q, K, V, mask=None):
    n = Q.shape[-2]
    if mask is not None:
        lead = torch.broadcast_shapes(mask.shape, (n, K.shape[-2]))
        mask = mask.expand(lead)
    pieces = []
    for start in range(0, n, CHUNK):
        rows = slice(start, start + CHUNK)
        scores = Q[..., rows, :] @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask[..., rows, :], float("-inf"))
        pieces.append(scores.softmax(dim=-1) @ V)
    return torch.cat(pieces, dim=-2)


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
