"""The attention is written out once more in the multi-head function instead of using scaled_dot_product_attention."""
import math

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    i = torch.arange(0, d_k, 2, dtype=torch.float64, device=x.device)
    freq = theta ** (-i / d_k)
    angle = token_positions.to(torch.float64).unsqueeze(-1) * freq
    cos = angle.cos().to(x.dtype)
    sin = angle.sin().to(x.dtype)
    even = x[..., 0::2]
    odd = x[..., 1::2]
    rotated = torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1)
    return rotated.flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V


def multihead_self_attention_with_rope(
    d_model,
    num_heads,
    max_seq_len,
    theta,
    q_proj_weight,
    k_proj_weight,
    v_proj_weight,
    o_proj_weight,
    in_features,
    token_positions=None,
):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    *batch, seq, _ = in_features.shape

    Q = in_features @ q_proj_weight.T
    K = in_features @ k_proj_weight.T
    V = in_features @ v_proj_weight.T
    Q = Q.reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)
    K = K.reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)
    V = V.reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)

    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    Q = rope(d_head, theta, max_seq_len, Q, token_positions)
    K = rope(d_head, theta, max_seq_len, K, token_positions)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_head)
    out = torch.softmax(scores, dim=-1) @ V
    out = out.transpose(-3, -2).reshape(*batch, seq, d_model)
    return out @ o_proj_weight.T
