"""rope() and the multi-head function both use the same RotaryPositionalEmbedding."""

import torch
from torch import Tensor
from einops import rearrange


class RotaryPositionalEmbedding:
    def __init__(self, theta: float, d_k: int, max_seq_len: int, device=None):
        self.inv_freq = theta ** (-torch.arange(0, d_k, 2, device=device).float() / d_k)
        self.max_seq_len = max_seq_len

    def __call__(self, x: Tensor, positions: Tensor) -> Tensor:
        angle = positions.unsqueeze(-1) * self.inv_freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., ::2], x[..., 1::2]
        return torch.stack([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).flatten(-2)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    return RotaryPositionalEmbedding(theta, d_k, max_seq_len)(in_query_or_key, token_positions)


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
    rotary = RotaryPositionalEmbedding(theta, d_head, max_seq_len, in_features.device)
    split = lambda t: rearrange(t, "... s (h d) -> ... h s d", d=d_head)
    Q, K, V = split(in_features @ q_proj_weight.T), split(in_features @ k_proj_weight.T), split(in_features @ v_proj_weight.T)
    positions = torch.arange(in_features.shape[-2], device=in_features.device) if token_positions is None else token_positions
    positions = positions.unsqueeze(-2)
    out = scaled_dot_product_attention(rotary(Q, positions), rotary(K, positions), V)
    return rearrange(out, "... h s d -> ... s (h d)") @ o_proj_weight.T
