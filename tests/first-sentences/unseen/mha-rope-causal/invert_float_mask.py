# Says: `~mask` does not work on the floats that `torch.tril(torch.ones(T, T))` makes: turn the mask into booleans with `.bool()` where you build it.
# Line: 39
# Names: ~mask, .bool()
# Kind: crash
import math
import torch
import torch.nn.functional as F


def scaled_dot_product_attention(Q, K, V, mask=None):
    att = (Q @ K.transpose(-2, -1)) * (1.0 / math.sqrt(K.size(-1)))
    if mask is not None:
        att = att.masked_fill(~mask, float('-inf'))
    att = F.softmax(att, dim=-1)
    return att @ V


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    inv = 1.0 / (theta ** (torch.arange(0, d_k, 2).double() / d_k))
    ang = token_positions.unsqueeze(-1) * inv
    cos, sin = ang.cos().to(in_query_or_key.dtype), ang.sin().to(in_query_or_key.dtype)
    a, b = in_query_or_key[..., ::2], in_query_or_key[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)


# nanoGPT style
def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    *B, T, C = in_features.shape
    q = F.linear(in_features, q_proj_weight).reshape(*B, T, num_heads, C // num_heads).transpose(-3, -2)
    k = F.linear(in_features, k_proj_weight).reshape(*B, T, num_heads, C // num_heads).transpose(-3, -2)
    v = F.linear(in_features, v_proj_weight).reshape(*B, T, num_heads, C // num_heads).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(T)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    q = rope(C // num_heads, theta, max_seq_len, q, token_positions)
    k = rope(C // num_heads, theta, max_seq_len, k, token_positions)
    mask = torch.tril(torch.ones(T, T))
    y = scaled_dot_product_attention(q, k, v, mask)
    y = y.transpose(-3, -2).reshape(*B, T, C)
    return F.linear(y, o_proj_weight)
