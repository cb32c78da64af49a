"""A module-level cache that the multi-head function empties with `global`."""

import torch
from einops import einsum


CACHE = {}


def angles_for(d_k, theta, positions):
    if "freqs" not in CACHE:
        CACHE["freqs"] = theta ** (-torch.arange(0, d_k, 2) / d_k)
    return positions[..., None] * CACHE["freqs"]


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    global CACHE
    CACHE = {}
    a = angles_for(d_k, theta, token_positions)
    even, odd = in_query_or_key[..., 0::2], in_query_or_key[..., 1::2]
    c, s = a.cos().to(even), a.sin().to(even)
    return torch.stack((even * c - odd * s, even * s + odd * c), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = einsum(Q, K, "... q d, ... k d -> ... q k") / d_k**0.5
    if mask is not None:
        scores = torch.where(mask, scores, float("-inf"))
    probs = scores.softmax(dim=-1)
    return einsum(probs, V, "... q k, ... k d -> ... q d")


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    Q = in_features @ q_proj_weight.T
    K = in_features @ k_proj_weight.T
    V = in_features @ v_proj_weight.T
    batch_shape = Q.shape[:-2]
    seq_len = Q.shape[-2]
    Q = Q.view(*batch_shape, seq_len, num_heads, d_head).transpose(-3, -2)
    K = K.view(*batch_shape, seq_len, num_heads, d_head).transpose(-3, -2)
    V = V.view(*batch_shape, seq_len, num_heads, d_head).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq_len, device=Q.device)
    if token_positions.ndim > 1:
        token_positions = token_positions.unsqueeze(-2)
    Q_rope = rope(d_head, theta, max_seq_len, Q, token_positions)
    K_rope = rope(d_head, theta, max_seq_len, K, token_positions)
    attn_output = scaled_dot_product_attention(Q_rope, K_rope, V, mask=None)
    attn_output = attn_output.transpose(-3, -2)
    attn_output = attn_output.reshape(*batch_shape, seq_len, d_model)
    return attn_output @ o_proj_weight.T
