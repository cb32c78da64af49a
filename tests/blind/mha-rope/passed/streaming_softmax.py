"""A right answer of the seventh corpus."""
import math

import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    k = torch.arange(d_k // 2, device=x.device, dtype=torch.float32)
    inv = torch.exp(k * (-2.0 * math.log(theta) / d_k)).to(x.dtype)
    ang = token_positions[..., None].to(x.dtype) * inv
    c, s = torch.cos(ang), torch.sin(ang)
    a, b = x.unflatten(-1, (-1, 2)).unbind(-1)
    return torch.stack((a * c - b * s, a * s + b * c), -1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None, block=5):
    Q = Q * Q.shape[-1] ** -0.5
    peak = mass = value = None
    for start in range(0, K.shape[-2], block):
        s = Q @ K[..., start : start + block, :].transpose(-1, -2)
        if mask is not None:
            allowed = mask if mask.shape[-1] == 1 else mask[..., start : start + block]
            s = s.masked_fill(~allowed, -1e30)
        top = s.detach().max(-1, keepdim=True).values
        if peak is None:
            e = (s - top).exp()
            peak, mass, value = top, e.sum(-1, keepdim=True), e @ V[..., start : start + block, :]
            continue
        new = torch.maximum(peak, top)
        e, fade = (s - new).exp(), (peak - new).exp()
        mass = mass * fade + e.sum(-1, keepdim=True)
        value = value * fade + e @ V[..., start : start + block, :]
        peak = new
    return value / mass


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
    d = d_model // num_heads
    seq = in_features.size(-2)
    assert seq <= max_seq_len
    q = (in_features @ q_proj_weight.T).unflatten(-1, (num_heads, d)).movedim(-2, -3)
    k = (in_features @ k_proj_weight.T).unflatten(-1, (num_heads, d)).movedim(-2, -3)
    v = (in_features @ v_proj_weight.T).unflatten(-1, (num_heads, d)).movedim(-2, -3)
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    token_positions = token_positions[..., None, :]
    q = rope(d, theta, max_seq_len, q, token_positions)
    k = rope(d, theta, max_seq_len, k, token_positions)
    y = scaled_dot_product_attention(q, k, v)
    return (y.movedim(-3, -2).reshape(in_features.shape)) @ o_proj_weight.T
