"""Three other words for moving the heads: permute, movedim, swapaxes."""

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
    assert d_model % num_heads == 0
    def axes(n):
        return (*range(n - 3), n - 2, n - 3, n - 1)
    q = (in_features @ q_proj_weight.T).unflatten(-1, (num_heads, -1))
    k = (in_features @ k_proj_weight.T).unflatten(-1, (num_heads, -1))
    v = (in_features @ v_proj_weight.T).unflatten(-1, (num_heads, -1))
    q, k, v = q.permute(axes(q.dim())), k.movedim(-2, -3), v.swapaxes(-2, -3)
    if token_positions is None:
        token_positions = torch.arange(q.shape[-2])
    q = rope(q.shape[-1], theta, max_seq_len, q, token_positions.unsqueeze(-2))
    k = rope(k.shape[-1], theta, max_seq_len, k, token_positions.unsqueeze(-2))
    return scaled_dot_product_attention(q, k, v, ~torch.triu(torch.ones(q.shape[-2], q.shape[-2]), diagonal=1).bool()).movedim(-3, -2).reshape(in_features.shape) @ o_proj_weight.T
