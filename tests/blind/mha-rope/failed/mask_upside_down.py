"""Hides what the mask marks.

Idea: True is taken for hidden and not for visible.
Where: only when a mask is given
Id: mask-inverted
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    freqs = theta ** (-torch.arange(0, d_k, 2, device=x.device, dtype=torch.float64) / d_k)
    angles = token_positions.unsqueeze(-1).to(torch.float64) * freqs
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scaled = Q / math.sqrt(K.shape[-1])
    scores = torch.matmul(scaled, K.swapaxes(-1, -2))
    if mask is not None:
        bias = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device)
        scores = scores + bias.masked_fill(mask, float("-inf"))
    return F.softmax(scores, dim=-1).matmul(V)


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
