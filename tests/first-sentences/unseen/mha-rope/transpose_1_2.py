# Says: `transpose(1, 2)` counts the axes from the front, so it only fits one batch axis and swaps the wrong ones otherwise: use `transpose(-3, -2)`.
# Line: 30
# Names: transpose(1, 2), transpose(-3, -2)
# Kind: crash
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


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta,
                                       q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
                                       in_features, token_positions=None):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    shape = (*in_features.shape[:-1], num_heads, d_head)
    Q = (in_features @ q_proj_weight.T).reshape(shape).transpose(1, 2)
    K = (in_features @ k_proj_weight.T).reshape(shape).transpose(1, 2)
    V = (in_features @ v_proj_weight.T).reshape(shape).transpose(1, 2)
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2])
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    Q = rope(d_head, theta, max_seq_len, Q, token_positions)
    K = rope(d_head, theta, max_seq_len, K, token_positions)
    out = scaled_dot_product_attention(Q, K, V)
    return out.transpose(1, 2).reshape(in_features.shape) @ o_proj_weight.T
