"""The table ends at 128, whatever max_seq_len is.
Says: IndexError
"""

import math

import torch
from einops import rearrange
from torch import nn


class RotaryPositionalEmbedding(nn.Module):
    def __init__(self, theta: float, d_k: int, max_seq_len: int, device=None):
        super().__init__()
        self.d_k = d_k
        pos = torch.arange(min(max_seq_len, 128), device=device).float()
        inv_freq = 1.0 / (theta ** (torch.arange(0, d_k, 2, device=device).float() / d_k))
        table = torch.outer(pos, inv_freq)
        self.register_buffer("cos", table.cos(), persistent=False)
        self.register_buffer("sin", table.sin(), persistent=False)

    def forward(self, x: torch.Tensor, token_positions: torch.Tensor) -> torch.Tensor:
        cos = self.cos[token_positions].to(x.dtype)
        sin = self.sin[token_positions].to(x.dtype)
        x1 = x[..., 0::2]
        x2 = x[..., 1::2]
        out = torch.empty_like(x)
        out[..., 0::2] = x1 * cos - x2 * sin
        out[..., 1::2] = x1 * sin + x2 * cos
        return out


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    layer = RotaryPositionalEmbedding(theta, d_k, max_seq_len, device=in_query_or_key.device)
    return layer(in_query_or_key, token_positions)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.size(-1)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ V


from dataclasses import dataclass


@dataclass(frozen=True)
class AttentionConfig:
    d_model: int
    num_heads: int
    max_seq_len: int
    theta: float

    def __post_init__(self) -> None:
        if self.d_model % self.num_heads:
            raise ValueError("num_heads has to divide d_model")

    @property
    def d_head(self) -> int:
        return self.d_model // self.num_heads


def _rotate(cfg: AttentionConfig, t: torch.Tensor, pos: torch.Tensor) -> torch.Tensor:
    return rope(cfg.d_head, cfg.theta, cfg.max_seq_len, t, pos)


def multihead_self_attention_with_rope(
    d_model: int,
    num_heads: int,
    max_seq_len: int,
    theta: float,
    q_proj_weight: torch.Tensor,
    k_proj_weight: torch.Tensor,
    v_proj_weight: torch.Tensor,
    o_proj_weight: torch.Tensor,
    in_features: torch.Tensor,
    token_positions: torch.Tensor | None = None,
) -> torch.Tensor:
    cfg = AttentionConfig(d_model, num_heads, max_seq_len, theta)
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    pos = token_positions.unsqueeze(-2)
    pattern = "... t (h d) -> ... h t d"
    q = _rotate(cfg, rearrange(in_features @ q_proj_weight.T, pattern, h=cfg.num_heads), pos)
    k = _rotate(cfg, rearrange(in_features @ k_proj_weight.T, pattern, h=cfg.num_heads), pos)
    v = rearrange(in_features @ v_proj_weight.T, pattern, h=cfg.num_heads)
    heads = scaled_dot_product_attention(q, k, v)
    return rearrange(heads, "... h t d -> ... t (h d)") @ o_proj_weight.T
