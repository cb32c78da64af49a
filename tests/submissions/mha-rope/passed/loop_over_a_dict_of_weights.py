"""A loop over the names and weights of a dictionary."""

import math
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    inv_freq = theta ** (-torch.arange(0, d_k, 2, device=x.device, dtype=torch.float32) / d_k)
    phase = token_positions.unsqueeze(-1).to(torch.float32) * inv_freq
    rotor = torch.polar(torch.ones_like(phase), phase)
    pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], d_k // 2, 2))
    return torch.view_as_real(pairs * rotor).flatten(-2).to(x.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    weights = {"q": q_proj_weight, "k": k_proj_weight, "v": v_proj_weight}
    heads = {}
    for name, weight in weights.items():
        heads[name] = (in_features @ weight.T).unflatten(-1, (num_heads, -1)).transpose(-3, -2)
    where = torch.arange(in_features.shape[-2]) if token_positions is None else token_positions
    rotated = {name: rope(d_model // num_heads, theta, max_seq_len, heads[name], where.unsqueeze(-2)) for name in "qk"}
    out = scaled_dot_product_attention(rotated["q"], rotated["k"], heads["v"])
    return out.transpose(-3, -2).reshape(in_features.shape) @ o_proj_weight.T
