"""Rotates in place in a copy, so the odd features are computed from even ones that are rotated already."""

import torch
from torch import nn


class RotaryPositionalEmbedding(nn.Module):
    def __init__(self, theta, d_k, max_seq_len, device=None):
        super().__init__()
        inv_freq = 1.0 / theta ** (torch.arange(0, d_k, 2, device=device).float() / d_k)
        angles = torch.arange(max_seq_len, device=device).float()[:, None] * inv_freq[None, :]
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def forward(self, x, positions):
        cos = self.cos[positions].to(x.dtype)
        sin = self.sin[positions].to(x.dtype)
        even = x[..., 0::2]
        odd = x[..., 1::2]
        out = x.clone()
        out[..., 0::2] = even * cos - odd * sin
        out[..., 1::2] = odd * cos + out[..., 0::2] * sin
        return out


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    layer = RotaryPositionalEmbedding(theta, d_k, max_seq_len, in_query_or_key.device)
    return layer(in_query_or_key, token_positions)


def scaled_dot_product_attention(Q, K, V, mask=None):
    attention = torch.einsum("...qd,...kd->...qk", Q, K).div(Q.shape[-1] ** 0.5)
    if mask is not None:
        attention = attention.masked_fill(~mask, -torch.inf)
    weights = torch.exp(torch.log_softmax(attention, dim=-1))
    return weights @ V


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
    assert d_model % num_heads == 0, f"{d_model} / {num_heads} is not whole"
    d_k = d_model // num_heads
    seq_len = in_features.shape[-2]
    lead = list(in_features.shape[:-2])
    Q = torch.einsum("...si,oi->...so", in_features, q_proj_weight).reshape(lead + [seq_len, num_heads, d_k])
    K = torch.einsum("...si,oi->...so", in_features, k_proj_weight).reshape(lead + [seq_len, num_heads, d_k])
    V = torch.einsum("...si,oi->...so", in_features, v_proj_weight).reshape(lead + [seq_len, num_heads, d_k])
    Q, K, V = Q.transpose(-3, -2), K.transpose(-3, -2), V.transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq_len, device=in_features.device)
    token_positions = token_positions.unsqueeze(-2)
    Q = rope(d_k, theta, max_seq_len, Q, token_positions)
    K = rope(d_k, theta, max_seq_len, K, token_positions)
    O = scaled_dot_product_attention(Q, K, V)
    O = O.transpose(-3, -2).reshape(lead + [seq_len, d_model])
    return torch.einsum("...si,oi->...so", O, o_proj_weight)
