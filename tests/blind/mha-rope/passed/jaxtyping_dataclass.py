"""A dataclass with the sizes, and shapes written down with jaxtyping."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor


@dataclass(frozen=True)
class Sizes:
    d_model: int
    heads: int

    def __post_init__(self):
        if self.d_model % self.heads != 0:
            raise ValueError(f"{self.heads} heads do not divide {self.d_model}")

    @property
    def d_head(self) -> int:
        return self.d_model // self.heads


def rope(
    d_k: int,
    theta: float,
    max_seq_len: int,
    in_query_or_key: Float[Tensor, "... seq d_k"],
    token_positions: Int[Tensor, "... seq"],
) -> Float[Tensor, "... seq d_k"]:
    x = in_query_or_key
    k = torch.arange(d_k // 2, device=x.device, dtype=torch.float64)
    table = torch.arange(max_seq_len, device=x.device)[:, None] * theta ** (-2 * k / d_k)
    angle = table[token_positions]
    c, s = angle.cos().type_as(x), angle.sin().type_as(x)
    x0, x1 = x[..., 0::2], x[..., 1::2]
    y0, y1 = c * x0 - s * x1, s * x0 + c * x1
    return torch.cat([y0.unsqueeze(-1), y1.unsqueeze(-1)], dim=-1).flatten(start_dim=-2)


def scaled_dot_product_attention(
    Q: Float[Tensor, "... queries d_k"],
    K: Float[Tensor, "... keys d_k"],
    V: Float[Tensor, "... keys d_v"],
    mask: Bool[Tensor, "... queries keys"] | None = None,
) -> Float[Tensor, "... queries d_v"]:
    scores = torch.einsum("...qd,...kd->...qk", Q, K) / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.where(mask, torch.tensor(-torch.inf, dtype=scores.dtype, device=scores.device))
    top = scores.max(dim=-1, keepdim=True).values
    e = torch.exp(scores - top)
    return torch.einsum("...qk,...kv->...qv", e / e.sum(-1, keepdim=True), V)


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
    sizes = Sizes(d_model, num_heads)
    seq = in_features.shape[-2]
    q, k, v = [
        torch.matmul(in_features, w.T).reshape(*in_features.shape[:-1], sizes.heads, sizes.d_head).transpose(-3, -2)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    ]
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    if token_positions.dim() > 1:
        token_positions = token_positions.reshape(*token_positions.shape[:-1], 1, seq)
    q = rope(sizes.d_head, theta, max_seq_len, q, token_positions)
    k = rope(sizes.d_head, theta, max_seq_len, k, token_positions)
    heads = scaled_dot_product_attention(q, k, v)
    merged = heads.transpose(-3, -2).reshape(*in_features.shape)
    return torch.matmul(merged, o_proj_weight.T)
