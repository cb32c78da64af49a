"""The mask is kept in a global from the longest call and cropped at the wrong end."""
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


_MASK = None


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features,
    token_positions=None,
):
    global _MASK
    assert d_model % num_heads == 0
    n = in_features.shape[-2]
    if _MASK is None or _MASK.shape[0] < n:
        _MASK = torch.tril(torch.ones(n, n, dtype=torch.bool, device=in_features.device))
    Q, K, V = (
        (in_features @ w.T).unflatten(-1, (num_heads, -1)).transpose(-3, -2)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    p = torch.arange(n, device=in_features.device) if token_positions is None else token_positions
    p = p.unsqueeze(-2)
    Q, K = rope(Q.shape[-1], theta, max_seq_len, Q, p), rope(K.shape[-1], theta, max_seq_len, K, p)
    out = scaled_dot_product_attention(Q, K, V, _MASK[-n:, :n])
    return out.transpose(-3, -2).reshape(in_features.shape) @ o_proj_weight.T
