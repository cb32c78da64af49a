"""A softmax over all keys, then hidden weights become zero and the rest is shared out anew; rotation matrices."""

import math

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    rotations = torch.zeros(max_seq_len, d_k, d_k, device=in_query_or_key.device)
    frequencies = [theta ** (-2 * k / d_k) for k in range(d_k // 2)]
    positions = torch.arange(max_seq_len, device=in_query_or_key.device)
    for k, frequency in enumerate(frequencies):
        cos, sin = torch.cos(positions * frequency), torch.sin(positions * frequency)
        rotations[:, 2 * k, 2 * k], rotations[:, 2 * k, 2 * k + 1] = cos, -sin
        rotations[:, 2 * k + 1, 2 * k], rotations[:, 2 * k + 1, 2 * k + 1] = sin, cos
    chosen = rotations[token_positions].to(in_query_or_key.dtype)
    return (chosen @ in_query_or_key.unsqueeze(-1)).squeeze(-1)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, torch.transpose(K, -2, -1)) / math.sqrt(K.size(-1))
    weights = torch.softmax(scores.double(), dim=-1)
    if mask is not None:
        weights = weights * mask
        weights = weights / weights.sum(dim=-1, keepdim=True)
    return torch.matmul(weights.to(V.dtype), V)


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
    batch, (seq, _) = in_features.shape[:-2], in_features.shape[-2:]
    shape = (*batch, seq, num_heads, d_model // num_heads)
    Q = torch.matmul(in_features, q_proj_weight.t()).reshape(shape).transpose(-3, -2)
    K = torch.matmul(in_features, k_proj_weight.t()).reshape(shape).transpose(-3, -2)
    V = torch.matmul(in_features, v_proj_weight.t()).reshape(shape).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    if token_positions.dim() >= 2:
        token_positions = token_positions.unsqueeze(-2)
    Q = rope(shape[-1], theta, max_seq_len, Q, token_positions)
    K = rope(shape[-1], theta, max_seq_len, K, token_positions)
    mask = torch.ones(seq, seq, dtype=torch.bool, device=Q.device).tril()
    context = scaled_dot_product_attention(Q, K, V, mask).transpose(-3, -2).contiguous()
    return torch.matmul(context.view(*batch, seq, d_model), o_proj_weight.t())
