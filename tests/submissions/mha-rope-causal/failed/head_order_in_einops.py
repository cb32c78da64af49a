"""The heads are split as (d h).
Diagnosis: head-order
"""

import torch
from einops import rearrange
from einops import einsum


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    pairs = rearrange(in_query_or_key, "... s (p two) -> ... s p two", two=2)
    freq = theta ** (-torch.arange(0, d_k, 2, device=pairs.device) / d_k)
    angle = einsum(token_positions.to(freq.dtype), freq, "... s, p -> ... s p")
    c, s = torch.cos(angle), torch.sin(angle)
    rot = rearrange(torch.stack([c, -s, s, c], dim=-1), "... (i j) -> ... i j", i=2, j=2).to(pairs.dtype)
    turned = (rot @ pairs.unsqueeze(-1)).squeeze(-1)
    return rearrange(turned, "... s p two -> ... s (p two)")


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
    q = rearrange(q, "... s (d h) -> ... h s d", h=num_heads)
    k = rearrange(k, "... s (d h) -> ... h s d", h=num_heads)
    v = rearrange(v, "... s (d h) -> ... h s d", h=num_heads)
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    positions = rearrange(token_positions, "... s -> ... 1 s")
    q = rope(d_model // num_heads, theta, max_seq_len, q, positions)
    k = rope(d_model // num_heads, theta, max_seq_len, k, positions)
    out = scaled_dot_product_attention(q, k, v, ~torch.triu(torch.ones(q.shape[-2], q.shape[-2]), diagonal=1).bool())
    out = rearrange(out, "... h s d -> ... s (d h)")
    return einsum(out, o_proj_weight, "... s i, o i -> ... s o")
