"""Puts the given weights into a meta layer with torch.func.functional_call."""

import torch
from torch import nn
from torch.func import functional_call

LAYER = nn.Linear(1, 1, bias=False, device="meta")


def project(x, weight):
    return functional_call(LAYER, {"weight": weight}, (x,))


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    half = torch.arange(d_k // 2, device=in_query_or_key.device)
    angles = token_positions[..., None] / theta ** (2 * half / d_k)
    rotor = torch.complex(angles.cos(), angles.sin())
    pairs = in_query_or_key.float() if in_query_or_key.dtype != torch.float64 else in_query_or_key
    z = torch.view_as_complex(pairs.unflatten(-1, (d_k // 2, 2)).contiguous())
    return torch.view_as_real(z * rotor).flatten(-2).to(in_query_or_key.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.transpose(-2, -1)) / (Q.size(-1) ** 0.5)
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return torch.matmul(scores.softmax(dim=-1), V)


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
    assert num_heads > 0 and d_model % num_heads == 0
    d = d_model // num_heads
    n = in_features.shape[-2]
    q, k, v = (
        project(in_features, w).unflatten(-1, (num_heads, d)).transpose(-3, -2)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    if token_positions is None:
        token_positions = torch.arange(n, device=in_features.device)
    q = rope(d, theta, max_seq_len, q, token_positions.unsqueeze(-2))
    k = rope(d, theta, max_seq_len, k, token_positions.unsqueeze(-2))
    mask = torch.tril(torch.ones((n, n), dtype=torch.bool, device=q.device))
    return project(scaled_dot_product_attention(q, k, v, mask).transpose(-3, -2).flatten(-2), o_proj_weight)
