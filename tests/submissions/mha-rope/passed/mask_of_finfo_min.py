"""Masked scores are set to the smallest float."""

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
        scores = scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, dim=-1)
    return weights @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0, "bad heads"
    d_head = d_model // num_heads

    def heads_of(weight):
        return torch.einsum("...sm,hdm->...hsd", in_features, weight.view(num_heads, d_head, d_model))

    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    where = token_positions.unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, heads_of(q_proj_weight), where)
    k = rope(d_head, theta, max_seq_len, heads_of(k_proj_weight), where)
    z = scaled_dot_product_attention(q, k, heads_of(v_proj_weight))
    return torch.einsum("...hsd,ohd->...so", z, o_proj_weight.reshape(d_model, num_heads, d_head))
