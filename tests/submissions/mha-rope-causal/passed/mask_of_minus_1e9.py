"""Masked scores are set to -1e9."""

import math
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    freqs = 1.0 / (theta ** (torch.arange(0, d_k, 2, device=x.device).float() / d_k))
    angles = token_positions.to(x.device)[..., None].float() * freqs
    cos = angles.cos().to(x.dtype)
    sin = angles.sin().to(x.dtype)
    x_even = x[..., ::2]
    x_odd = x[..., 1::2]
    out_even = x_even * cos - x_odd * sin
    out_odd = x_even * sin + x_odd * cos
    return torch.stack([out_even, out_odd], dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
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
    y = scaled_dot_product_attention(q, k, v, ~torch.triu(torch.ones(q.shape[-2], q.shape[-2]), diagonal=1).bool())
    y = y.transpose(-3, -2).contiguous().view(in_features.shape)
    return torch.matmul(y, o_proj_weight.t())
