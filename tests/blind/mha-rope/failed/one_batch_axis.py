"""transpose(1, 2) and the unpacking of the shape only work for exactly one batch axis."""
import math

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    freqs = 1.0 / (theta ** (torch.arange(0, d_k, 2, device=in_query_or_key.device).double() / d_k))
    angles = token_positions.unsqueeze(-1) * freqs
    cos, sin = torch.cos(angles).to(in_query_or_key.dtype), torch.sin(angles).to(in_query_or_key.dtype)
    x_even, x_odd = in_query_or_key[..., 0::2], in_query_or_key[..., 1::2]
    out = torch.empty_like(in_query_or_key)
    out[..., 0::2] = x_even * cos - x_odd * sin
    out[..., 1::2] = x_even * sin + x_odd * cos
    return out


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
        raise ValueError("d_model must be divisible by num_heads")
    b, t, _ = in_features.shape
    d = d_model // num_heads
    q = torch.nn.functional.linear(in_features, q_proj_weight).reshape(b, t, num_heads, d).transpose(1, 2)
    k = torch.nn.functional.linear(in_features, k_proj_weight).reshape(b, t, num_heads, d).transpose(1, 2)
    v = torch.nn.functional.linear(in_features, v_proj_weight).reshape(b, t, num_heads, d).transpose(1, 2)
    pos = torch.arange(t, device=q.device) if token_positions is None else token_positions
    if pos.dim() == 2:
        pos = pos[:, None]
    y = scaled_dot_product_attention(rope(d, theta, max_seq_len, q, pos), rope(d, theta, max_seq_len, k, pos), v)
    return y.transpose(1, 2).reshape(b, t, d_model) @ o_proj_weight.T
