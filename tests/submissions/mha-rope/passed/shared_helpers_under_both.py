"""rope() and the multi-head function meet in a helper; so do the two attentions."""

import math
import torch


def _rotate(x, theta, positions):
    d = x.shape[-1]
    angle = positions.unsqueeze(-1) * theta ** (-torch.arange(0, d, 2, device=x.device) / d)
    c, s = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * c - b * s, a * s + b * c], -1).flatten(-2)


def _attend(q, k, v, mask):
    s = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        s = s.masked_fill(~mask, -math.inf)
    return s.softmax(-1) @ v


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    return _rotate(in_query_or_key, theta, token_positions)


def scaled_dot_product_attention(Q, K, V, mask=None):
    return _attend(Q, K, V, mask)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    def split(t):
        return t.unflatten(-1, (num_heads, -1)).transpose(-3, -2)
    q, k, v = split(in_features @ q_proj_weight.T), split(in_features @ k_proj_weight.T), split(in_features @ v_proj_weight.T)
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2])
    p = token_positions.unsqueeze(-2)
    return _attend(_rotate(q, theta, p), _rotate(k, theta, p), v, None).transpose(-3, -2).flatten(-2) @ o_proj_weight.T
