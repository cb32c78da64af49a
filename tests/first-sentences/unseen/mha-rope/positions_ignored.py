# Says: You overwrite the caller's `token_positions` with `torch.arange(seq)` even when they are given: do that only if `token_positions is None`.
# Line: 32
# Names: token_positions, torch.arange
# Kind: wrong idea
import math
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    freqs = theta ** (-torch.arange(0, d_k, 2).double() / d_k)
    angles = token_positions.unsqueeze(-1) * freqs
    cos, sin = angles.cos().to(in_query_or_key.dtype), angles.sin().to(in_query_or_key.dtype)
    even, odd = in_query_or_key[..., 0::2], in_query_or_key[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ V


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    *lead, seq, _ = in_features.shape
    token_positions = torch.arange(seq)
    q, k, v = [
        (in_features @ w.T).reshape(*lead, seq, num_heads, d_head).transpose(-3, -2)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    ]
    q = rope(d_head, theta, max_seq_len, q, token_positions)
    k = rope(d_head, theta, max_seq_len, k, token_positions)
    o = scaled_dot_product_attention(q, k, v)
    return o.transpose(-3, -2).reshape(*lead, seq, d_model) @ o_proj_weight.T
