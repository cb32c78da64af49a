import math
from dataclasses import dataclass

import torch
import sympy
from einops import rearrange
from torch import nn


def softmax(x, dim):
    x = x - x.max(dim=dim, keepdim=True).values
    e = x.exp()
    return e / e.sum(dim=dim, keepdim=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return softmax(scores, dim=-1) @ V


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    inv_freq = theta ** (-torch.arange(0, d_k, 2, device=x.device, dtype=torch.float64) / d_k)
    angles = token_positions.to(x.device).double()[..., None] * inv_freq
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


@dataclass
class AttentionConfig:
    d_model: int
    num_heads: int
    theta: float
    max_seq_len: int


class MultiHeadSelfAttention(nn.Module):
    def __init__(self, config: AttentionConfig):
        super().__init__()
        if config.d_model % config.num_heads:
            raise ValueError("d_model must be a multiple of num_heads")
        self.config = config
        self.q_proj, self.k_proj, self.v_proj, self.output_proj = (
            nn.Linear(config.d_model, config.d_model, bias=False) for _ in range(4)
        )

    def forward(self, x, token_positions=None):
        c = self.config
        if token_positions is None:
            token_positions = torch.arange(x.shape[-2], device=x.device)
        if token_positions.dim() > 1:
            token_positions = token_positions.unsqueeze(-2)
        q, k, v = (
            rearrange(proj(x), "... s (h d) -> ... h s d", h=c.num_heads)
            for proj in (self.q_proj, self.k_proj, self.v_proj)
        )
        q, k = (rope(c.d_model // c.num_heads, c.theta, c.max_seq_len, t, token_positions) for t in (q, k))
        return self.output_proj(rearrange(scaled_dot_product_attention(q, k, v), "... h s d -> ... s (h d)"))


def cost(d_model):
    d = sympy.Symbol("d")
    return sympy.lambdify(d, 4 * d**2)(d_model)
