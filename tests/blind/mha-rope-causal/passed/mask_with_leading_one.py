"""The mask has a leading axis of one and the heads are projected by einsum."""

import math

import torch
from einops import einsum, rearrange
from torch import Tensor


def _rotations(d_k, theta, positions):
    freq = theta ** (-2.0 * torch.arange(d_k // 2, dtype=torch.float64, device=positions.device) / d_k)
    angle = einsum(positions.double(), freq, "... s, p -> ... s p")
    c, s = torch.cos(angle), torch.sin(angle)
    return rearrange(torch.stack([c, -s, s, c], dim=-1), "... (i j) -> ... i j", i=2, j=2)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    turn = _rotations(d_k, theta, token_positions).to(in_query_or_key.dtype)
    pairs = rearrange(in_query_or_key, "... s (p j) -> ... s p j", j=2)
    turned = (turn @ pairs.unsqueeze(-1)).squeeze(-1)
    return rearrange(turned, "... s p i -> ... s (p i)")


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ V


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
    seq = in_features.shape[-2]
    everything = torch.full((1, seq, seq), True, device=in_features.device)
    out = scaled_dot_product_attention(*turned, project(v_proj_weight), everything.tril())
    o = o_proj_weight.reshape(d_model, num_heads, d_head)
    return torch.einsum("...hsd,ohd->...so", out, o).reshape(in_features.shape)
