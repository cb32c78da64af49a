# ruff: noqa: F722
"""Classes as the CS336 handout has them: jaxtyping in the signatures, einx for the scores, tables as buffers; weights are
arguments of forward, so that gradients reach them.
"""

import einx
import torch
from einops import einsum, rearrange, repeat
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn


class RotaryPositionalEmbedding(nn.Module):
    def __init__(self, theta: float, d_k: int, max_seq_len: int, device: torch.device | None = None):
        super().__init__()
        if d_k % 2:
            raise ValueError("d_k must be even")
        powers = torch.arange(0, d_k, 2, device=device).float() / d_k
        angles = einx.multiply(
            "pos, pair -> pos pair", torch.arange(max_seq_len, device=device).float(), theta**-powers
        )
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def forward(self, x: Float[Tensor, "... seq d_k"], token_positions: Int[Tensor, "... seq"]) -> Tensor:
        cos = repeat(self.cos[token_positions], "... pair -> ... (pair two)", two=2)
        sin = repeat(self.sin[token_positions], "... pair -> ... (pair two)", two=2)
        pairs = rearrange(x, "... (pair two) -> ... pair two", two=2)
        quarter_turned = rearrange([-pairs[..., 1], pairs[..., 0]], "two ... pair -> ... (pair two)")
        return (x * cos + quarter_turned * sin).type_as(x)


class MultiHeadSelfAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int, max_seq_len: int, theta: float, device: torch.device):
        super().__init__()
        assert d_model % num_heads == 0, "num_heads must divide d_model"
        self.num_heads = num_heads
        self.rope = RotaryPositionalEmbedding(theta, d_model // num_heads, max_seq_len, device)

    def forward(self, x: Tensor, weights: tuple[Tensor, ...], token_positions: Int[Tensor, "... seq"] | None) -> Tensor:
        *w_qkv, w_o = weights
        q, k, v = (rearrange(x @ w.T, "... seq (h d) -> ... h seq d", h=self.num_heads) for w in w_qkv)
        if token_positions is None:
            token_positions = torch.arange(x.shape[-2], device=x.device)
        elif token_positions.ndim > 1:
            token_positions = rearrange(token_positions, "... seq -> ... 1 seq")
        attended = scaled_dot_product_attention(self.rope(q, token_positions), self.rope(k, token_positions), v)
        return rearrange(attended, "... h seq d -> ... seq (h d)") @ w_o.T


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    layer = RotaryPositionalEmbedding(theta, d_k, max_seq_len, in_query_or_key.device)
    return layer(in_query_or_key, token_positions)


def scaled_dot_product_attention(
    Q: Float[Tensor, "... queries d_k"],
    K: Float[Tensor, "... keys d_k"],
    V: Float[Tensor, "... keys d_v"],
    mask: Bool[Tensor, "... queries keys"] | None = None,
) -> Float[Tensor, "... queries d_v"]:
    scores = einx.dot("... q [d], ... k [d] -> ... q k", Q, K) / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return einsum(scores.softmax(dim=-1), V, "... q k, ... k d -> ... q d")


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
    layer = MultiHeadSelfAttention(d_model, num_heads, max_seq_len, theta, in_features.device)
    return layer(in_features, (q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight), token_positions)
