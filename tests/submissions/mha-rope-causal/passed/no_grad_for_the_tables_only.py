"""no_grad around the tables, which need no gradient."""

import torch
from einops import einsum


@torch.no_grad()
def tables(d_k, theta, positions, dtype):
    angles = positions.unsqueeze(-1) * theta ** (-torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)
    return angles.cos().to(dtype), angles.sin().to(dtype)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    cos, sin = tables(d_k, theta, token_positions, in_query_or_key.dtype)
    x = in_query_or_key.unflatten(-1, (-1, 2))
    real, imag = x[..., 0], x[..., 1]
    return torch.stack((real * cos - imag * sin, real * sin + imag * cos), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = einsum(Q, K, "... q d, ... k d -> ... q k") / d_k**0.5
    if mask is not None:
        scores = torch.where(mask, scores, float("-inf"))
    probs = scores.softmax(dim=-1)
    return einsum(probs, V, "... q k, ... k d -> ... q d")


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    d_head, rest = divmod(d_model, num_heads)
    assert rest == 0, "d_model must be a multiple of num_heads"
    seq = in_features.size(-2)
    w_qkv = torch.cat([q_proj_weight, k_proj_weight, v_proj_weight], dim=0)
    qkv = in_features @ w_qkv.T
    q, k, v = qkv.chunk(3, dim=-1)
    new_shape = in_features.shape[:-1] + (num_heads, d_head)
    q = q.reshape(new_shape).transpose(-3, -2)
    k = k.reshape(new_shape).transpose(-3, -2)
    v = v.reshape(new_shape).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    token_positions = token_positions[..., None, :]
    q, k = rope(d_head, theta, max_seq_len, q, token_positions), rope(d_head, theta, max_seq_len, k, token_positions)
    y = scaled_dot_product_attention(q, k, v, torch.ones(q.shape[-2], q.shape[-2], dtype=torch.bool).tril())
    y = y.transpose(-3, -2).contiguous().view(in_features.shape)
    return torch.matmul(y, o_proj_weight.t())
