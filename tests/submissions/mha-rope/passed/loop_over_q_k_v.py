"""A for loop over the three of Q, K and V, with a variable called h."""

import torch
import torch.nn.functional as F


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    freqs = 1.0 / (theta ** (torch.arange(0, d_k, 2, device=x.device).float() / d_k))
    angles = token_positions.to(x.device)[..., None].float() * freqs
    cos = angles.cos().to(x.dtype)
    sin = angles.sin().to(x.dtype)
    x_even = x[..., ::2]
    x_odd = x[..., 1::2]
    out_even = x_even * cos - x_odd * sin
    out_odd = x_even * sin + x_odd * cos
    return torch.stack([out_even, out_odd], dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = torch.einsum("...qd,...kd->...qk", Q, K) * (Q.shape[-1] ** -0.5)
    if mask is not None:
        logits = logits.masked_fill(~mask, -torch.inf)
    probs = F.softmax(logits, dim=-1)
    return torch.einsum("...qk,...kd->...qd", probs, V)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    parts = []
    for h in (q_proj_weight, k_proj_weight, v_proj_weight):
        part = in_features @ h.T
        part = part.reshape(*part.shape[:-1], num_heads, d_head).transpose(-3, -2)
        parts.append(part)
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2])
    for i in range(2):
        parts[i] = rope(d_head, theta, max_seq_len, parts[i], token_positions.unsqueeze(-2))
    out = scaled_dot_product_attention(*parts)
    return out.transpose(-3, -2).flatten(-2) @ o_proj_weight.T
