"""Multi-head attention with RoPE in plain torch.

Wrong: tokens of zeros are hidden
Condition: a token of all zeros
Spec: "A token may be all zeros"
"""
import math

import torch
from torch import Tensor


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    i = torch.arange(0, d_k, 2, device=x.device, dtype=torch.float64)
    freq = theta ** (-i / d_k)
    angle = token_positions.to(x.device).unsqueeze(-1) * freq
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    out = torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1)
    return out.flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V


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
    d_head = d_model // num_heads
    seq = in_features.shape[-2]

    def split(t):
        return t.reshape(*t.shape[:-1], num_heads, d_head).transpose(-3, -2)

    q = split(in_features @ q_proj_weight.T)
    k = split(in_features @ k_proj_weight.T)
    v = split(in_features @ v_proj_weight.T)

    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    elif token_positions.dim() > 1 and in_features.dim() == 2:
        token_positions = token_positions.reshape(seq)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, q, token_positions)
    k = rope(d_head, theta, max_seq_len, k, token_positions)

    y = scaled_dot_product_attention(q, k, v, (in_features != 0).any(-1)[..., None, None, :])
    y = y.transpose(-3, -2)
    y = y.reshape(in_features.shape)
    return y @ o_proj_weight.T
