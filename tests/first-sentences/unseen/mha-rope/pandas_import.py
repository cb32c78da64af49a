# Says: `import pandas as pd` is not allowed in this exercise, and you do not use it anyway: delete that line.
# Line: 7
# Names: pandas
# Kind: refused
import math
import numpy as np
import pandas as pd
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    inv_freq = theta ** (-torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)
    angles = token_positions.unsqueeze(-1) * inv_freq
    cos, sin = angles.cos().to(in_query_or_key.dtype), angles.sin().to(in_query_or_key.dtype)
    x0, x1 = in_query_or_key[..., 0::2], in_query_or_key[..., 1::2]
    return torch.stack([x0 * cos - x1 * sin, x0 * sin + x1 * cos], dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    attn = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(Q.shape[-1])
    if mask is not None:
        attn = attn.masked_fill(torch.logical_not(mask), float("-inf"))
    attn = attn.softmax(dim=-1)
    return torch.matmul(attn, V)


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    *lead, seq, _ = in_features.shape
    if token_positions is None:
        token_positions = torch.arange(seq)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    split = lambda y: y.reshape(*lead, seq, num_heads, d_head).transpose(-3, -2)
    q = rope(d_head, theta, max_seq_len, split(in_features @ q_proj_weight.T), token_positions)
    k = rope(d_head, theta, max_seq_len, split(in_features @ k_proj_weight.T), token_positions)
    v = split(in_features @ v_proj_weight.T)
    out = scaled_dot_product_attention(q, k, v).transpose(-3, -2).reshape(*lead, seq, d_model)
    return out @ o_proj_weight.T
