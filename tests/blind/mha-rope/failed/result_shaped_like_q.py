"""The result is reshaped like Q, which fails when d_v differs from d_k."""
import torch
from einops import einsum, rearrange


def _swap_pairs(x):
    return torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).flatten(-2)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    i = torch.arange(d_k // 2, device=in_query_or_key.device, dtype=torch.float64)
    angle = token_positions[..., None] * float(theta) ** (-2 * i / d_k)
    angle = angle.repeat_interleave(2, dim=-1)
    cos, sin = angle.cos().type_as(in_query_or_key), angle.sin().type_as(in_query_or_key)
    return in_query_or_key * cos + _swap_pairs(in_query_or_key) * sin


def scaled_dot_product_attention(Q, K, V, mask=None):
    *lead, n, d_k = Q.shape
    q = Q.reshape(-1, n, d_k)
    k = K.reshape(-1, K.shape[-2], d_k)
    v = V.reshape(-1, V.shape[-2], V.shape[-1])
    s = torch.bmm(q, k.transpose(1, 2)) / d_k**0.5
    if mask is not None:
        s = s.reshape(*lead, n, -1).masked_fill(~mask, -torch.inf).reshape(s.shape)
    return torch.bmm(s.softmax(-1), v).reshape(*lead, n, d_k)


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
    out = scaled_dot_product_attention(q, k, v)
    out = rearrange(out, "... h s d -> ... s (h d)").reshape(in_features.shape)
    return einsum(out, o_proj_weight, "... s i, o i -> ... s o")
