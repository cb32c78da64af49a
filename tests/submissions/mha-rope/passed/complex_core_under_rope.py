"""rope and the main function share a core that gives complex numbers."""

import functools
import math
import operator

import torch
import torch.nn.functional as F


def turn(d_k, theta, x, token_positions):
    angles = token_positions[..., None].double() * theta ** (-torch.arange(0, d_k, 2).double() / d_k)
    return torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous()) * torch.polar(torch.ones_like(angles), angles)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    turned = turn(d_k, theta, in_query_or_key, token_positions)
    return torch.view_as_real(turned).flatten(-2).to(in_query_or_key.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ V


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    x = in_features
    seq = x.shape[-2]
    q, k, v = (
        (x @ weight.T).unflatten(-1, (num_heads, d_head)).transpose(-3, -2)
        for weight in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    pos = torch.arange(seq, device=x.device) if token_positions is None else token_positions
    pos = pos.unsqueeze(-2)
    q, k = (torch.view_as_real(turn(d_head, theta, y, pos)).flatten(-2).to(x.dtype) for y in (q, k))
    heads = scaled_dot_product_attention(q, k, v)
    return heads.transpose(-3, -2).flatten(-2) @ o_proj_weight.T
