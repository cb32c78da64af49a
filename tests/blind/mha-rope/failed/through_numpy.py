"""RoPE goes through NumPy, which cuts the gradients of queries and keys."""
import torch
from einops import einsum, rearrange


import numpy as np


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key.detach().cpu().numpy()
    pos = token_positions.cpu().numpy()
    freq = float(theta) ** (-np.arange(0, d_k, 2) / d_k)
    angle = pos[..., None] * freq
    c, s = np.cos(angle), np.sin(angle)
    y = np.stack((x[..., ::2] * c - x[..., 1::2] * s, x[..., ::2] * s + x[..., 1::2] * c), axis=-1)
    y = y.reshape(y.shape[:-2] + (d_k,))
    return torch.from_numpy(y).to(in_query_or_key)


def softmax(x, dim=-1):
    shifted = x - x.amax(dim=dim, keepdim=True)
    e = torch.exp(shifted)
    return e / e.sum(dim=dim, keepdim=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = einsum(Q, K, "... q d, ... k d -> ... q k") / K.shape[-1] ** 0.5
    if mask is not None:
        scores = torch.where(mask, scores, float("-inf"))
    return einsum(softmax(scores), V, "... q k, ... k d -> ... q d")


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features,
    token_positions=None,
):
    assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
    d_head = d_model // num_heads
    *batch, seq, _ = in_features.shape
    Q = (in_features @ q_proj_weight.T).reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)
    K = (in_features @ k_proj_weight.T).reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)
    V = (in_features @ v_proj_weight.T).reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    pos = token_positions.unsqueeze(-2)
    Q = rope(d_head, theta, max_seq_len, Q, pos)
    K = rope(d_head, theta, max_seq_len, K, pos)
    heads = scaled_dot_product_attention(Q, K, V)
    return heads.transpose(-3, -2).reshape(*batch, seq, d_model) @ o_proj_weight.T
