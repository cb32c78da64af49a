"""The heads are folded into the batch one after the other, the positions in turn.
Says: The problem is in `multihead_self_attention_with_rope` itself
"""

import math

import torch


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
    d_k = Q.size(-1)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ V


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    if d_model % num_heads != 0:
        raise ValueError(f"d_model={d_model} is not divisible by num_heads={num_heads}")
    lead = in_features.shape[:-2]
    S = in_features.shape[-2]
    x = in_features.reshape(-1, S, d_model)
    B = x.shape[0]
    hd = d_model // num_heads

    def heads(t):
        return t.reshape(B, S, num_heads, hd).permute(0, 2, 1, 3).reshape(B * num_heads, S, hd)

    q, k, v = heads(x @ q_proj_weight.t()), heads(x @ k_proj_weight.t()), heads(x @ v_proj_weight.t())
    if token_positions is None:
        token_positions = torch.arange(S, device=x.device)
    pos = token_positions.expand(*lead, S).reshape(B, S).repeat(num_heads, 1)
    q = rope(hd, theta, max_seq_len, q, pos)
    k = rope(hd, theta, max_seq_len, k, pos)
    o = scaled_dot_product_attention(q, k, v)
    o = o.reshape(B, num_heads, S, hd).permute(0, 2, 1, 3).reshape(*lead, S, d_model)
    return o @ o_proj_weight.t()
