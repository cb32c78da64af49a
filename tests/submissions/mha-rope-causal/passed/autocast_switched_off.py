"""Contexts around the computation: enable_grad and autocast switched off."""

import math
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    inv_freq = theta ** (-torch.arange(0, d_k, 2, device=x.device, dtype=torch.float32) / d_k)
    phase = token_positions.unsqueeze(-1).to(torch.float32) * inv_freq
    rotor = torch.polar(torch.ones_like(phase), phase)
    pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], d_k // 2, 2))
    return torch.view_as_real(pairs * rotor).flatten(-2).to(x.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    with torch.enable_grad(), torch.autocast("cpu", enabled=False):
        q, k, v = ((in_features @ w.T).unflatten(-1, (num_heads, -1)).transpose(-3, -2) for w in (q_proj_weight, k_proj_weight, v_proj_weight))
        p = (torch.arange(q.shape[-2]) if token_positions is None else token_positions).unsqueeze(-2)
        q, k = rope(q.shape[-1], theta, max_seq_len, q, p), rope(k.shape[-1], theta, max_seq_len, k, p)
        return scaled_dot_product_attention(q, k, v, ~torch.triu(torch.ones(q.shape[-2], q.shape[-2]), diagonal=1).bool()).transpose(-3, -2).flatten(-2) @ o_proj_weight.T
