"""A UTF-8 byte order mark at the beginning, and non-ASCII text in comments: αβγ √d."""

import torch
from torch import Tensor


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    inv_freq = theta ** (-torch.arange(0, d_k, 2, device=x.device, dtype=torch.float32) / d_k)
    phase = token_positions.unsqueeze(-1).to(torch.float32) * inv_freq
    rotor = torch.polar(torch.ones_like(phase), phase)
    pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], d_k // 2, 2))
    return torch.view_as_real(pairs * rotor).flatten(-2).to(x.dtype)


def softmax(x: Tensor, dim: int) -> Tensor:
    x = x - x.max(dim=dim, keepdim=True).values
    e = torch.exp(x)
    return e / e.sum(dim=dim, keepdim=True)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    attn = torch.matmul(Q, K.mT) / Q.size(-1) ** 0.5
    if mask is not None:
        attn = torch.where(mask, attn, torch.tensor(-torch.inf, dtype=attn.dtype, device=attn.device))
    return torch.matmul(softmax(attn, dim=-1), V)


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    Q = in_features @ q_proj_weight.T
    K = in_features @ k_proj_weight.T
    V = in_features @ v_proj_weight.T
    batch_shape = Q.shape[:-2]
    seq_len = Q.shape[-2]
    Q = Q.view(*batch_shape, seq_len, num_heads, d_head).transpose(-3, -2)
    K = K.view(*batch_shape, seq_len, num_heads, d_head).transpose(-3, -2)
    V = V.view(*batch_shape, seq_len, num_heads, d_head).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq_len, device=Q.device)
    if token_positions.ndim > 1:
        token_positions = token_positions.unsqueeze(-2)
    Q_rope = rope(d_head, theta, max_seq_len, Q, token_positions)
    K_rope = rope(d_head, theta, max_seq_len, K, token_positions)
    attn_output = scaled_dot_product_attention(Q_rope, K_rope, V, torch.ones(Q_rope.shape[-2], Q_rope.shape[-2], dtype=torch.bool).tril())
    attn_output = attn_output.transpose(-3, -2)
    attn_output = attn_output.reshape(*batch_shape, seq_len, d_model)
    return attn_output @ o_proj_weight.T
