"""The softmax runs over the queries instead of the keys."""
import math

import torch
from einops import einsum, rearrange


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = rearrange(in_query_or_key, "... (f two) -> ... f two", two=2)
    inv_freq = theta ** (-torch.arange(0, d_k, 2, dtype=torch.float64, device=x.device) / d_k)
    phase = einsum(token_positions.double(), inv_freq, "... s, f -> ... s f")
    c, s = phase.cos().to(x.dtype), phase.sin().to(x.dtype)
    rotated = torch.stack([x[..., 0] * c - x[..., 1] * s, x[..., 0] * s + x[..., 1] * c], dim=-1)
    return rearrange(rotated, "... f two -> ... (f two)")


def my_softmax(x, axis):
    x = x - torch.max(x, dim=axis, keepdim=True).values
    e = torch.exp(x)
    return e / torch.sum(e, dim=axis, keepdim=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    S = Q @ K.mT / math.sqrt(K.shape[-1])
    if mask is not None:
        S = S.masked_fill(~mask, -torch.inf)
    return my_softmax(S, -2) @ V


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features,
    token_positions=None,
):
    if d_model % num_heads:
        raise ValueError("num_heads must divide d_model")
    seq_len = in_features.shape[-2]
    wqkv = torch.stack([q_proj_weight, k_proj_weight, v_proj_weight])
    qkv = einsum(in_features, wqkv, "... s i, three o i -> three ... s o")
    q, k, v = rearrange(qkv, "three ... s (h d) -> three ... h s d", h=num_heads)
    if token_positions is None:
        token_positions = torch.arange(seq_len, device=in_features.device)
    token_positions = rearrange(token_positions, "... s -> ... 1 s")
    q = rope(d_model // num_heads, theta, max_seq_len, q, token_positions)
    k = rope(d_model // num_heads, theta, max_seq_len, k, token_positions)
    i = torch.arange(seq_len, device=in_features.device)
    causal = i[:, None] >= i[None, :]
    out = scaled_dot_product_attention(q, k, v, mask=causal)
    out = rearrange(out, "... h s d -> ... s (h d)").reshape(in_features.shape)
    return einsum(out, o_proj_weight, "... s i, o i -> ... s o")
