"""Shifts the positions so that the first is 0, which attention does not notice but rope does."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor


@dataclass(frozen=True)
class Heads:
    d_model: int
    count: int

    def __post_init__(self) -> None:
        if self.d_model % self.count != 0:
            raise ValueError(f"{self.count} heads do not divide {self.d_model}")

    @property
    def width(self) -> int:
        return self.d_model // self.count

    def split(self, x: Float[Tensor, "... s d"]) -> Float[Tensor, "... h s e"]:
        return x.unflatten(-1, (self.count, self.width)).transpose(-3, -2)

    def merge(self, x: Float[Tensor, "... h s e"]) -> Float[Tensor, "... s d"]:
        return x.transpose(-3, -2).flatten(-2)


def frequencies(d_k: int, theta: float) -> Float[Tensor, " half"]:
    return torch.tensor([theta ** (-2 * i / d_k) for i in range(d_k // 2)], dtype=torch.float64)


def rope(
    d_k: int, theta: float, max_seq_len: int, in_query_or_key: Float[Tensor, "... s d"], token_positions: Int[Tensor, "... s"]
) -> Float[Tensor, "... s d"]:
    x = in_query_or_key
    token_positions = token_positions - token_positions[..., :1]
    angles = token_positions[..., None] * frequencies(d_k, theta).to(x.device)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., ::2], x[..., 1::2]
    y = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    y[..., ::2], y[..., 1::2] = a * cos - b * sin, a * sin + b * cos
    return y


def softmax(x: Float[Tensor, "... n"]) -> Float[Tensor, "... n"]:
    e = torch.exp(x - x.detach().amax(-1, keepdim=True))
    return e / e.sum(-1, keepdim=True)


def scaled_dot_product_attention(
    Q: Float[Tensor, "... q d"],
    K: Float[Tensor, "... k d"],
    V: Float[Tensor, "... k e"],
    mask: Bool[Tensor, "... q k"] | None = None,
) -> Float[Tensor, "... q e"]:
    scores = Q @ K.mT / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask == False, -torch.inf)  # noqa: E712
    return softmax(scores) @ V


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
    heads = Heads(d_model, num_heads)
    seq = in_features.size(-2)
    positions = torch.arange(seq, device=in_features.device) if token_positions is None else token_positions
    positions = positions.unsqueeze(-2)
    q = rope(heads.width, theta, max_seq_len, heads.split(in_features @ q_proj_weight.mT), positions)
    k = rope(heads.width, theta, max_seq_len, heads.split(in_features @ k_proj_weight.mT), positions)
    v = heads.split(in_features @ v_proj_weight.mT)
    return heads.merge(scaled_dot_product_attention(q, k, v)) @ o_proj_weight.mT
