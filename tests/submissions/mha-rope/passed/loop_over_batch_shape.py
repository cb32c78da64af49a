"""A while loop that flattens the leading axes, and one that restores them."""

import torch
from torch import Tensor


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
    lead = 1
    for size in in_features.shape[:-2]:
        lead *= size
    seq = in_features.shape[-2]
    x = in_features.reshape(lead, seq, d_model)
    if token_positions is None:
        token_positions = torch.arange(seq)
    pos = token_positions.expand(in_features.shape[:-1]).reshape(lead, 1, seq)
    q, k, v = ((x @ w.T).view(lead, seq, num_heads, -1).transpose(1, 2) for w in (q_proj_weight, k_proj_weight, v_proj_weight))
    q = rope(d_model // num_heads, theta, max_seq_len, q, pos)
    k = rope(d_model // num_heads, theta, max_seq_len, k, pos)
    y = scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(lead, seq, d_model) @ o_proj_weight.T
    while y.dim() > in_features.dim():
        y = y.squeeze(0)
    return y.reshape(in_features.shape)
