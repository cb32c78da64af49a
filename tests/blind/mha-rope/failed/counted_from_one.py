"""Positions are counted from 1, so position 0 is rotated too."""
import torch
import torch.nn.functional as F
from einops import einsum, rearrange


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    inv = float(theta) ** (-torch.arange(0, d_k, 2, dtype=torch.float64, device=in_query_or_key.device) / d_k)
    m = token_positions.double() + 1
    ang = torch.einsum("...s,f->...sf", m, inv)
    c, s = ang.cos().to(in_query_or_key.dtype), ang.sin().to(in_query_or_key.dtype)
    x = in_query_or_key
    out = torch.zeros_like(x)
    out[..., 0::2] = x[..., 0::2] * c - x[..., 1::2] * s
    out[..., 1::2] = x[..., 1::2] * c + x[..., 0::2] * s
    return out


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.size(-1)
    attn_logits = torch.matmul(Q, K.mT)
    attn_logits = attn_logits * d_k**-0.5
    if mask is not None:
        attn_logits = attn_logits.masked_fill(mask == 0, torch.finfo(attn_logits.dtype).min)
    attention = F.softmax(attn_logits, dim=-1)
    values = torch.matmul(attention, V)
    return values


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
