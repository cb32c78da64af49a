# Says: `in_query_or_key.numpy()` fails as soon as the input requires grad, and it would cut the gradients off anyway: do the rotation with torch operations instead.
# Line: 11
# Names: .numpy(), grad
# Kind: crash
import math
import numpy as np
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key.numpy()
    pos = token_positions.numpy()
    freqs = theta ** (-np.arange(0, d_k, 2) / d_k)
    angles = pos[..., None] * freqs
    cos, sin = np.cos(angles), np.sin(angles)
    out = np.empty_like(x)
    out[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
    out[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
    return torch.from_numpy(out)


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
    Q = (in_features @ q_proj_weight.T).reshape(*lead, seq, num_heads, d_head).transpose(-3, -2)
    K = (in_features @ k_proj_weight.T).reshape(*lead, seq, num_heads, d_head).transpose(-3, -2)
    V = (in_features @ v_proj_weight.T).reshape(*lead, seq, num_heads, d_head).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    Q = rope(d_head, theta, max_seq_len, Q, token_positions)
    K = rope(d_head, theta, max_seq_len, K, token_positions)
    out = scaled_dot_product_attention(Q, K, V)
    return out.transpose(-3, -2).reshape(*lead, seq, d_model) @ o_proj_weight.T
