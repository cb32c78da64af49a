"""Right: a RoPE module with register_buffer behind functools.cache, softmax by logsumexp, a small class for the attention."""

from __future__ import annotations

import math
from functools import cache

import torch
from torch import Tensor, nn


class RotaryPositionalEmbedding(nn.Module):
    """The frequencies are a buffer, made once per (d_k, theta, device)."""

    def __init__(self, d_k: int, theta: float, device=None):
        super().__init__()
        exponent = -2.0 * torch.arange(d_k // 2, dtype=torch.float64, device=device) / d_k
        self.register_buffer("freqs", torch.pow(float(theta), exponent), persistent=False)

    def forward(self, x: Tensor, token_positions: Tensor) -> Tensor:
        angles = token_positions.double()[..., None] * self.freqs
        cos, sin = angles.cos().type_as(x), angles.sin().type_as(x)
        pairs = x.unflatten(-1, (-1, 2))
        first, second = pairs[..., 0], pairs[..., 1]
        turned = torch.stack([cos * first - sin * second, sin * first + cos * second], dim=-1)
        return turned.flatten(start_dim=-2)


@cache
def _rotary(d_k, theta, device):
    with torch.inference_mode(False):
        return RotaryPositionalEmbedding(d_k, theta, device)


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    return _rotary(d_k, theta, in_query_or_key.device)(in_query_or_key, token_positions)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = torch.einsum("...id,...jd->...ij", Q, K) / math.sqrt(Q.size(-1))
    if mask is not None:
        scores = scores + torch.zeros_like(scores).masked_fill(~mask, -math.inf)
    log_z = torch.logsumexp(scores, dim=-1, keepdim=True)
    return torch.einsum("...ij,...jd->...id", (scores - log_z).exp(), V)


class _Attention:
    def __init__(self, d_model, num_heads, rotate):
        if d_model % num_heads != 0:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads, self.d_head, self.rotate = num_heads, d_model // num_heads, rotate

    def split(self, t: Tensor) -> Tensor:
        return t.reshape(t.shape[:-1] + (self.num_heads, self.d_head)).transpose(-3, -2)

    def __call__(self, x, wq, wk, wv, wo, positions):
        q, k, v = (self.split(x @ w.mT) for w in (wq, wk, wv))
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        n = x.shape[-2]
        out = scaled_dot_product_attention(q, k, v, torch.ones(n, n, device=x.device).tril().to(torch.bool))
        return out.transpose(-3, -2).flatten(-2) @ wo.mT


def multihead_self_attention_with_rope(
    d_model: int,
    num_heads: int,
    max_seq_len: int,
    theta: float,
    q_proj_weight: Tensor,
    k_proj_weight: Tensor,
    v_proj_weight: Tensor,
    o_proj_weight: Tensor,
    in_features: Tensor,
    token_positions: Tensor | None = None,
) -> Tensor:
    seq = in_features.shape[-2]
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    if in_features.ndim == 2:
        token_positions = token_positions.reshape(seq)
    token_positions = token_positions.unsqueeze(-2)  # the axis of the heads

    def rotate(t: Tensor, positions: Tensor) -> Tensor:
        return rope(d_model // num_heads, theta, max_seq_len, t, positions)

    attend = _Attention(d_model, num_heads, rotate)
    return attend(in_features, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, token_positions)
