"""No matrix product anywhere: only broadcasting, multiplication and sums."""

import math

import torch


def _dot(x, rows):
    """(..., n, d), (..., m, d) -> (..., n, m), by multiplying everything with everything."""
    return (x.unsqueeze(-2) * rows.unsqueeze(-3)).sum(-1)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    freq = torch.exp(torch.arange(0, d_k, 2, dtype=torch.float64, device=x.device) * (-math.log(theta) / d_k))
    angle = token_positions.double().unsqueeze(-1).mul(freq).unsqueeze(-1)
    pair = x.unflatten(-1, (-1, 2))
    perpendicular = pair.flip(-1) * torch.tensor([-1.0, 1.0], dtype=x.dtype, device=x.device)
    return (pair * angle.cos().to(x.dtype) + perpendicular * angle.sin().to(x.dtype)).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = _dot(Q, K) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = torch.where(mask, scores, torch.full_like(scores, -math.inf))
    weights = torch.exp(scores - scores.detach().amax(-1, keepdim=True))
    weights = weights / weights.sum(-1, keepdim=True)
    return (weights.unsqueeze(-1) * V.unsqueeze(-3)).sum(-2)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if d_model % num_heads:
        raise ValueError("num_heads has to divide d_model")
    seq = in_features.shape[-2]
    q, k, v = (
        _dot(in_features, w).unflatten(-1, (num_heads, d_model // num_heads)).transpose(-3, -2)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    p = torch.arange(seq, device=in_features.device) if token_positions is None else token_positions
    p = p.reshape(seq) if p.numel() == seq else p.unsqueeze(-2)
    q, k = rope(d_model // num_heads, theta, max_seq_len, q, p), rope(d_model // num_heads, theta, max_seq_len, k, p)
    return _dot(scaled_dot_product_attention(q, k, v).transpose(-3, -2).flatten(-2), o_proj_weight)
