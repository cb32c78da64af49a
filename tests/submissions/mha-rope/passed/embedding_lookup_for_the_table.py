"""F.embedding and index_select look the tables up."""

import torch
import torch.nn.functional as F
from einops import rearrange
from einops import einsum


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    angles = torch.arange(max_seq_len).unsqueeze(-1) * theta ** (-torch.arange(0, d_k, 2) / d_k)
    cos = F.embedding(token_positions, angles.cos()).to(in_query_or_key.dtype)
    sin = angles.sin().index_select(0, token_positions.flatten()).reshape(*token_positions.shape, -1).to(in_query_or_key.dtype)
    x1, x2 = in_query_or_key[..., ::2], in_query_or_key[..., 1::2]
    return torch.stack((x1 * cos - x2 * sin, x1 * sin + x2 * cos), -1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = einsum(Q, K, "... q d, ... k d -> ... q k") / d_k**0.5
    if mask is not None:
        scores = torch.where(mask, scores, float("-inf"))
    probs = scores.softmax(dim=-1)
    return einsum(probs, V, "... q k, ... k d -> ... q d")


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if d_model % num_heads != 0:
        raise ValueError(f"d_model={d_model} must be divisible by num_heads={num_heads}")
    q = einsum(in_features, q_proj_weight, "... s i, o i -> ... s o")
    k = einsum(in_features, k_proj_weight, "... s i, o i -> ... s o")
    v = einsum(in_features, v_proj_weight, "... s i, o i -> ... s o")
    q = rearrange(q, "... s (h d) -> ... h s d", h=num_heads)
    k = rearrange(k, "... s (h d) -> ... h s d", h=num_heads)
    v = rearrange(v, "... s (h d) -> ... h s d", h=num_heads)
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    positions = rearrange(token_positions, "... s -> ... 1 s")
    q = rope(d_model // num_heads, theta, max_seq_len, q, positions)
    k = rope(d_model // num_heads, theta, max_seq_len, k, positions)
    out = scaled_dot_product_attention(q, k, v)
    out = rearrange(out, "... h s d -> ... s (h d)")
    return einsum(out, o_proj_weight, "... s i, o i -> ... s o")
