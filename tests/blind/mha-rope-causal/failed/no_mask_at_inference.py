"""The causal mask is only handed over while gradients are on, as if it belonged to training only.

Shows under no_grad and inference_mode for two or more tokens.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn


class RotaryEmbedding(nn.Module):
    """Turns neighbouring features. Has no parameters."""

    def __init__(self, d_k: int, theta: float) -> None:
        super().__init__()
        self.d_k = d_k
        self.theta = float(theta)

    def angles(self, positions: Tensor) -> Tensor:
        steps = torch.arange(0, self.d_k, 2, device=positions.device, dtype=torch.float64)
        inverse = 1.0 / (self.theta ** (steps / self.d_k))
        return positions.to(torch.float64).unsqueeze(-1) * inverse

    def forward(self, x: Tensor, positions: Tensor) -> Tensor:
        angles = self.angles(positions)
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        first, second = x[..., ::2], x[..., 1::2]
        out = torch.empty(x.shape, dtype=x.dtype, device=x.device)
        out[..., ::2] = first * cos - second * sin
        out[..., 1::2] = first * sin + second * cos
        return out


class Attention(nn.Module):
    def forward(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
        scores = torch.einsum("...qd,...kd->...qk", q, k) / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(torch.logical_not(mask), -torch.inf)
        return torch.einsum("...qk,...kv->...qv", scores.softmax(dim=-1), v)


@dataclass
class CausalSelfAttention:
    d_model: int
    num_heads: int
    max_seq_len: int
    theta: float

    def __post_init__(self) -> None:
        if self.d_model % self.num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        self.d_head = self.d_model // self.num_heads

    def split(self, x: Tensor, weight: Tensor) -> Tensor:
        y = x @ weight.transpose(0, 1)
        return y.reshape(*x.shape[:-1], self.num_heads, self.d_head).transpose(-3, -2)

    def turn(self, x: Tensor, positions: Tensor) -> Tensor:
        return rope(self.d_head, self.theta, self.max_seq_len, x, positions)

    def positions(self, x: Tensor, given: Tensor | None) -> Tensor:
        if given is None:
            return torch.arange(x.shape[-2], device=x.device)
        if x.ndim == 2:
            return given.reshape(-1)
        return given.unsqueeze(-2)

    def __call__(
        self, x: Tensor, wq: Tensor, wk: Tensor, wv: Tensor, wo: Tensor, given: Tensor | None, mask: Tensor | None
    ) -> Tensor:
        positions = self.positions(x, given)
        q = self.turn(self.split(x, wq), positions)
        k = self.turn(self.split(x, wk), positions)
        v = self.split(x, wv)
        out = scaled_dot_product_attention(q, k, v, mask=mask)
        return out.transpose(-3, -2).reshape(x.shape) @ wo.transpose(0, 1)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    return RotaryEmbedding(d_k, theta)(in_query_or_key, token_positions)


def scaled_dot_product_attention(Q, K, V, mask=None):
    return Attention()(Q, K, V, mask)


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
    layer = CausalSelfAttention(d_model, num_heads, max_seq_len, theta)
    n = in_features.shape[-2]
    mask = None
    if torch.is_grad_enabled():  # training: the answers must stay hidden
        mask = torch.ones((n, n), dtype=torch.bool, device=in_features.device).tril()
    return layer(in_features, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, token_positions, mask)
