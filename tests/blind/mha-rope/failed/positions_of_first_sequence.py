"""Uses the positions of the first sequence for all."""

import math

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    inv_freq = torch.exp(torch.arange(0, d_k, 2, dtype=x.dtype, device=x.device) * (-math.log(theta) / d_k))
    angle = token_positions.to(x.dtype)[..., None] * inv_freq
    cos, sin = torch.cos(angle), torch.sin(angle)
    pairs = x.reshape(*x.shape[:-1], -1, 2)
    a, b = pairs[..., 0], pairs[..., 1]
    return torch.stack([a * cos - b * sin, b * cos + a * sin], dim=-1).reshape(x.shape)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.transpose(-1, -2)) * (1.0 / math.sqrt(Q.size(-1)))
    if mask is not None:
        scores = torch.where(mask, scores, torch.full_like(scores, -math.inf))
    return torch.matmul(torch.nn.functional.softmax(scores, -1), V)


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
    if d_model % num_heads:
        raise ValueError("num_heads has to divide d_model")
    lead = in_features.shape[:-2]
    S, d_head = in_features.shape[-2], d_model // num_heads
    x = in_features.reshape(-1, S, d_model)
    B = x.shape[0]
    if token_positions is None:
        pos = torch.arange(S, device=x.device).expand(B, S)
    else:
        pos = token_positions.expand(*lead, S).reshape(B, S)
    pos = pos[:1, None, :]
    Q = (x @ q_proj_weight.T).view(B, S, num_heads, d_head).permute(0, 2, 1, 3)
    K = (x @ k_proj_weight.T).view(B, S, num_heads, d_head).permute(0, 2, 1, 3)
    V = (x @ v_proj_weight.T).view(B, S, num_heads, d_head).permute(0, 2, 1, 3)
    Q = rope(d_head, theta, max_seq_len, Q, pos)
    K = rope(d_head, theta, max_seq_len, K, pos)
    Y = scaled_dot_product_attention(Q, K, V)
    Y = Y.permute(0, 2, 1, 3).reshape(*lead, S, d_model)
    return Y @ o_proj_weight.T
