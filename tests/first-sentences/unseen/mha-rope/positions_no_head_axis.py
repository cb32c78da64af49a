# Says: `token_positions` of shape (batch, seq) has no axis for the heads when it meets queries of shape (batch, heads, seq, d_head): do `token_positions.unsqueeze(-2)` before you call `rope`.
# Line: 16
# Names: token_positions, unsqueeze, heads
# Kind: crash
import torch
import math


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    inv_freq = theta ** (-torch.arange(0, d_k, 2).double() / d_k)
    angles = token_positions.unsqueeze(-1).double() * inv_freq  # (..., seq, d_k/2)
    cos = torch.cos(angles).to(in_query_or_key.dtype)
    sin = torch.sin(angles).to(in_query_or_key.dtype)
    x_even = in_query_or_key[..., 0::2]
    x_odd = in_query_or_key[..., 1::2]
    out_even = x_even * cos - x_odd * sin
    out_odd = x_even * sin + x_odd * cos
    return torch.stack([out_even, out_odd], dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.matmul(torch.softmax(scores, dim=-1), V)


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    *lead, seq, _ = in_features.shape
    Q = (in_features @ q_proj_weight.T).reshape(*lead, seq, num_heads, d_head).transpose(-3, -2)
    K = (in_features @ k_proj_weight.T).reshape(*lead, seq, num_heads, d_head).transpose(-3, -2)
    V = (in_features @ v_proj_weight.T).reshape(*lead, seq, num_heads, d_head).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq)
    Q = rope(d_head, theta, max_seq_len, Q, token_positions)
    K = rope(d_head, theta, max_seq_len, K, token_positions)
    out = scaled_dot_product_attention(Q, K, V)
    return out.transpose(-3, -2).reshape(*lead, seq, d_model) @ o_proj_weight.T
