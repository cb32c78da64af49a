"""A branch with bmm for three axes.

Idea: The branch for 3-D tensors forgets to divide by sqrt(d_k).
Where: only for 3-D queries (also in the multi-head function without leading axes)
Id: missing-scale
"""

import math

import torch
import torch.nn.functional as F
from einops import einsum, rearrange


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
    if Q.dim() == 3 and K.dim() == 3:
        scores = torch.bmm(Q, K.transpose(1, 2))
    else:
        scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.matmul(scores.softmax(dim=-1), V)


def _split(t, num_heads):
    """(..., seq, d_model) -> (..., heads, seq, d_head)"""
    return t.unflatten(-1, (num_heads, -1)).transpose(-3, -2)


def _merge(t):
    """(..., heads, seq, d_head) -> (..., seq, d_model)"""
    return t.transpose(-3, -2).flatten(-2)


def multihead_self_attention_with_rope(
    d_model,
    num_heads,
    max_seq_len,
    theta,
    q_proj_weight,
    k_proj_weight,
    v_proj_weight,
    o_proj_weight,
    in_features,
    token_positions=None,
):
    assert d_model % num_heads == 0
    seq, device = in_features.size(-2), in_features.device
    q = _split(F.linear(in_features, q_proj_weight), num_heads)
    k = _split(F.linear(in_features, k_proj_weight), num_heads)
    v = _split(F.linear(in_features, v_proj_weight), num_heads)
    if token_positions is None:
        token_positions = torch.arange(0, seq, device=device)
    p = token_positions if token_positions.dim() == 1 else token_positions.unsqueeze(-2)
    d_head = d_model // num_heads
    a = scaled_dot_product_attention(
        rope(d_head, theta, max_seq_len, q, p),
        rope(d_head, theta, max_seq_len, k, p),
        v,
    )
    return F.linear(_merge(a), o_proj_weight).reshape(in_features.shape)
