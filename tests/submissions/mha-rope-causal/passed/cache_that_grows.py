"""A cached table that is computed again when theta or the width changes, and grows with the length."""

import math
import torch


class Tables:
    theta = None
    d_k = None
    cos = None
    sin = None


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    stale = Tables.theta != theta or Tables.d_k != d_k or Tables.cos.shape[0] < max_seq_len
    if stale:
        angles = torch.outer(torch.arange(max_seq_len).double(), theta ** (-torch.arange(0, d_k, 2).double() / d_k))
        Tables.theta, Tables.d_k, Tables.cos, Tables.sin = theta, d_k, angles.cos(), angles.sin()
    cos = Tables.cos[token_positions].to(in_query_or_key.dtype)
    sin = Tables.sin[token_positions].to(in_query_or_key.dtype)
    x = in_query_or_key.unflatten(-1, (d_k // 2, 2))
    return torch.stack([x[..., 0] * cos - x[..., 1] * sin, x[..., 0] * sin + x[..., 1] * cos], -1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V


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
    y = scaled_dot_product_attention(q, k, v, torch.arange(q.shape[-2])[:, None] >= torch.arange(q.shape[-2])[None, :])
    y = y.transpose(-3, -2).contiguous().view(in_features.shape)
    return torch.matmul(y, o_proj_weight.t())
