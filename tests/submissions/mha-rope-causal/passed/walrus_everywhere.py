"""Assignment expressions."""

import math
import torch


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
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if rest := d_model % num_heads:
        raise ValueError(f"{rest} features are left over")
    if (pos := token_positions) is None:
        pos = torch.arange(in_features.shape[-2])
    q, k, v = ((p := in_features @ w.T).unflatten(-1, (num_heads, p.shape[-1] // num_heads)).transpose(-3, -2) for w in (q_proj_weight, k_proj_weight, v_proj_weight))
    q, k = rope((d := q.shape[-1]), theta, max_seq_len, q, pos.unsqueeze(-2)), rope(d, theta, max_seq_len, k, pos.unsqueeze(-2))
    return scaled_dot_product_attention(q, k, v, torch.ones(q.shape[-2], q.shape[-2], dtype=torch.bool).tril()).transpose(-3, -2).flatten(-2) @ o_proj_weight.T
