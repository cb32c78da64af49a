"""The first token may see everything (its row of the mask is set to True)."""
import math

import torch
import torch.nn.functional as F


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
    assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
    d_head = d_model // num_heads
    *batch, seq, _ = in_features.shape
    Q = (in_features @ q_proj_weight.T).reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)
    K = (in_features @ k_proj_weight.T).reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)
    V = (in_features @ v_proj_weight.T).reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    pos = token_positions.unsqueeze(-2)
    Q = rope(d_head, theta, max_seq_len, Q, pos)
    K = rope(d_head, theta, max_seq_len, K, pos)
    mask = torch.tril(torch.ones(seq, seq, dtype=torch.bool, device=in_features.device))
    mask[0] = True
    heads = scaled_dot_product_attention(Q, K, V, mask)
    return heads.transpose(-3, -2).reshape(*batch, seq, d_model) @ o_proj_weight.T
