"""An online softmax whose sum of values is not rescaled: right up to 8 keys.
Diagnosis: softmax-in-blocks
"""

import torch
from einops import einsum, rearrange


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    inv_freq = 1.0 / (theta ** (torch.arange(0, d_k, 2, device=x.device, dtype=torch.float32) / d_k))
    angles = token_positions.unsqueeze(-1).to(inv_freq.dtype) * inv_freq
    cos, sin = angles.cos(), angles.sin()
    even, odd = x[..., ::2], x[..., 1::2]
    out_even = even * cos - odd * sin
    out_odd = even * sin + odd * cos
    return torch.stack((out_even, out_odd), dim=-1).flatten(-2).to(x.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    # flash attention's running maximum and sum, over blocks of keys
    q = Q * (Q.shape[-1] ** -0.5)
    lead = torch.broadcast_shapes(Q.shape[:-2], K.shape[:-2])
    m = torch.full((*lead, Q.shape[-2], 1), -1e30, dtype=Q.dtype, device=Q.device)
    l = torch.zeros_like(m)
    acc = torch.zeros(*lead, Q.shape[-2], V.shape[-1], dtype=Q.dtype, device=Q.device)
    full = None if mask is None else mask.expand(*lead, Q.shape[-2], K.shape[-2])
    for j in range(0, K.shape[-2], 8):
        s = q @ K[..., j : j + 8, :].transpose(-1, -2)
        if full is not None:
            s = s.masked_fill(~full[..., j : j + 8], -torch.inf)
        m_new = torch.maximum(m, s.amax(-1, keepdim=True))
        p = torch.exp(s - m_new)
        corr = torch.exp(m - m_new)
        l = l * corr + p.sum(-1, keepdim=True)
        acc = acc + p @ V[..., j : j + 8, :]
        m = m_new
    return acc / l


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
    q, k, v = (
        rearrange(einsum(in_features, w, "... s i, o i -> ... s o"), "... s (h d) -> ... h s d", h=num_heads)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    token_positions = rearrange(token_positions, "... s -> ... 1 s")
    q = rope(d_model // num_heads, theta, max_seq_len, q, token_positions)
    k = rope(d_model // num_heads, theta, max_seq_len, k, token_positions)
    attended = scaled_dot_product_attention(q, k, v)
    return einsum(rearrange(attended, "... h s d -> ... s (h d)"), o_proj_weight, "... s i, o i -> ... s o")
