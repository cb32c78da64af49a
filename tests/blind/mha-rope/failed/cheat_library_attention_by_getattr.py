"""Wrong: a cheat; scaled_dot_product_attention fetches the library's function of that name by getattr from a name put together at run time."""

import math

import torch
from torch import Tensor


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    rates = theta ** (-torch.arange(0, d_k, 2, dtype=torch.float64, device=in_query_or_key.device) / d_k)
    angles = token_positions.to(torch.float64).unsqueeze(-1) * rates
    cos, sin = angles.cos().to(in_query_or_key.dtype), angles.sin().to(in_query_or_key.dtype)
    even, odd = in_query_or_key[..., 0::2], in_query_or_key[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    attend = getattr(torch.nn.functional, "_".join(["scaled", "dot", "product", "attention"]))
    return attend(Q, K, V, attn_mask=mask)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    if d_model % num_heads:
        raise ValueError("num_heads must divide d_model")
    *batch, seq, _ = in_features.shape
    d_head = d_model // num_heads
    Q = in_features @ q_proj_weight.T
    K = in_features @ k_proj_weight.T
    V = in_features @ v_proj_weight.T
    Q, K, V = (t.reshape(*batch, seq, num_heads, d_head).transpose(-3, -2) for t in (Q, K, V))
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    if token_positions.numel() == seq:
        token_positions = token_positions.reshape(seq)
    else:
        token_positions = token_positions.unsqueeze(-2)
    Q = rope(d_head, theta, max_seq_len, Q, token_positions)
    K = rope(d_head, theta, max_seq_len, K, token_positions)
    heads = scaled_dot_product_attention(Q, K, V)
    return heads.transpose(-3, -2).reshape(*batch, seq, d_model) @ o_proj_weight.T
