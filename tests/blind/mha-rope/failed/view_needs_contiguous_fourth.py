"""view_as_complex after view raises for a tensor that is not contiguous."""

import torch
import torch.nn.functional as F


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    freqs = theta ** (-torch.arange(0, d_k, 2, dtype=torch.float64, device=x.device) / d_k)
    angles = token_positions[..., None].to(torch.float64) * freqs
    turn = torch.polar(torch.ones_like(angles), angles)
    z = torch.view_as_complex(x.to(torch.float64).view(-1, x.shape[-2], d_k // 2, 2))
    return torch.view_as_real(z * turn).flatten(-2).view(x.shape).to(x.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", Q, K) * Q.size(-1) ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    return torch.einsum("...qk,...kd->...qd", F.softmax(scores, dim=-1), V)


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
    q, k, v = (
        F.linear(in_features, w).unflatten(-1, (num_heads, d_head)).movedim(-2, -3)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    length = in_features.size(-2)
    where = torch.arange(length, device=q.device) if token_positions is None else token_positions
    where = where[..., None, :]
    q, k = (rope(d_head, theta, max_seq_len, t, where) for t in (q, k))
    context = scaled_dot_product_attention(q, k, v)
    return F.linear(context.movedim(-3, -2).flatten(-2), o_proj_weight)
