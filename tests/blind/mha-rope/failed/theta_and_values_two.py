"""Two mistakes: theta is ignored (10000 is hard-coded), and the values are rotated too."""
import math

import torch


BASE = 10000.0


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    k = torch.arange(0, d_k, 2, device=in_query_or_key.device, dtype=torch.float64)
    angle = token_positions[..., None] * BASE ** (-k / d_k)
    c, s = angle.cos().to(in_query_or_key.dtype), angle.sin().to(in_query_or_key.dtype)
    a, b = in_query_or_key[..., ::2], in_query_or_key[..., 1::2]
    return torch.stack((a * c - b * s, a * s + b * c), dim=-1).reshape(torch.broadcast_shapes(a.shape, c.shape)[:-1] + (d_k,))


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
    V = rope(d_head, theta, max_seq_len, V, pos)
    heads = scaled_dot_product_attention(Q, K, V)
    return heads.transpose(-3, -2).reshape(*batch, seq, d_model) @ o_proj_weight.T
