"""The width is read from V: wrong only in attention alone.
Diagnosis: scale-by-d-v
"""

import torch
import math


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    # inverse frequencies, one for each pair
    freqs = 1.0 / (theta ** (torch.arange(0, d_k, 2, device=in_query_or_key.device).float() / d_k))
    angles = token_positions.to(in_query_or_key.device).unsqueeze(-1) * freqs
    cos = torch.cos(angles)
    sin = torch.sin(angles)
    x1 = in_query_or_key[..., 0::2]
    x2 = in_query_or_key[..., 1::2]
    out1 = x1 * cos - x2 * sin
    out2 = x1 * sin + x2 * cos
    out = torch.stack([out1, out2], dim=-1).flatten(-2)
    return out.to(in_query_or_key.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = V.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, float('-inf'))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    assert d_model % num_heads == 0
    d_k = d_model // num_heads
    *batch, seq_len, _ = in_features.shape
    Q = in_features @ q_proj_weight.T
    K = in_features @ k_proj_weight.T
    V = in_features @ v_proj_weight.T
    Q = Q.reshape(*batch, seq_len, num_heads, d_k).transpose(-3, -2)
    K = K.reshape(*batch, seq_len, num_heads, d_k).transpose(-3, -2)
    V = V.reshape(*batch, seq_len, num_heads, d_k).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq_len, device=in_features.device)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    Q = rope(d_k, theta, max_seq_len, Q, token_positions)
    K = rope(d_k, theta, max_seq_len, K, token_positions)
    out = scaled_dot_product_attention(Q, K, V)
    out = out.transpose(-3, -2).reshape(*batch, seq_len, d_model)
    return out @ o_proj_weight.T
