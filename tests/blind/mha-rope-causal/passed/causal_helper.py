"""A helper makes the mask and the others split and merge."""

import torch
import torch.nn.functional as F
from einops import einsum


def _quarter_turn(x):
    """(x0, x1, x2, x3, ...) -> (-x1, x0, -x3, x2, ...)"""
    out = torch.empty_like(x)
    out[..., 0::2] = -x[..., 1::2]
    out[..., 1::2] = x[..., 0::2]
    return out


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    exponent = torch.arange(0, d_k, 2, device=in_query_or_key.device).double() / d_k
    angle = token_positions.double().unsqueeze(-1) / (theta ** exponent)
    angle = angle.repeat_interleave(2, dim=-1)
    x = in_query_or_key
    return x * angle.cos().to(x.dtype) + _quarter_turn(x) * angle.sin().to(x.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = einsum(Q, K, "... q d, ... k d -> ... q k") / Q.shape[-1] ** 0.5
    if mask is not None:
        logits = torch.where(mask, logits, torch.full_like(logits, float("-inf")))
    attn = torch.exp(logits - torch.logsumexp(logits, dim=-1, keepdim=True))
    return attn @ V


def _split(t, num_heads):
    """(..., seq, d_model) -> (..., heads, seq, d_head)"""
    return t.unflatten(-1, (num_heads, -1)).transpose(-3, -2)


def _causal(n, device):
    i = torch.arange(n, device=device)
    return i[None, :] <= i[:, None]


def _merge(t):
    """(..., heads, seq, d_head) -> (..., seq, d_model)"""
    return t.transpose(-3, -2).flatten(-2)


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
    assert d_model % num_heads == 0
    seq, device = in_features.size(-2), in_features.device
    q = _split(F.linear(in_features, q_proj_weight), num_heads)
    k = _split(F.linear(in_features, k_proj_weight), num_heads)
    v = _split(F.linear(in_features, v_proj_weight), num_heads)
    if token_positions is None:
        token_positions = torch.arange(0, seq, device=device)
    p = token_positions if token_positions.dim() == 1 else token_positions.unsqueeze(-2)
    d_head = d_model // num_heads
    a = scaled_dot_product_attention(
        rope(d_head, theta, max_seq_len, q, p),
        rope(d_head, theta, max_seq_len, k, p),
        v,
        _causal(seq, device),
    )
    return F.linear(_merge(a), o_proj_weight).reshape(in_features.shape)
