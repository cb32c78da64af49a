# Says: `masked_fill(mask, float("-inf"))` hides the keys where mask is True, but True means that the query may attend, so fill where `~mask`.
# Line: 15
# Names: masked_fill, ~mask
# Kind: wrong idea
import math

import torch
from torch import Tensor


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    d_k = Q.shape[-1]
    pre = (Q @ K.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        pre = pre.masked_fill(mask, float("-inf"))
    return pre.softmax(-1) @ V


class RotaryPositionalEmbedding(torch.nn.Module):
    def __init__(self, theta, d_k, max_seq_len):
        super().__init__()
        freq = 1.0 / theta ** (torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)
        table = torch.arange(max_seq_len, dtype=torch.float64)[:, None] * freq
        self.register_buffer("cos", table.cos(), persistent=False)
        self.register_buffer("sin", table.sin(), persistent=False)

    def forward(self, x, pos):
        c, s = self.cos[pos].to(x.dtype), self.sin[pos].to(x.dtype)
        e, o = x[..., ::2], x[..., 1::2]
        return torch.stack((e * c - o * s, e * s + o * c), -1).flatten(-2)


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    return RotaryPositionalEmbedding(theta, d_k, max_seq_len)(in_query_or_key, token_positions)


def multihead_self_attention_with_rope(
    d_model: int, num_heads: int, max_seq_len: int, theta: float,
    q_proj_weight: Tensor, k_proj_weight: Tensor, v_proj_weight: Tensor, o_proj_weight: Tensor,
    in_features: Tensor, token_positions: Tensor | None = None,
) -> Tensor:
    assert d_model % num_heads == 0
    d_k = d_model // num_heads
    T = in_features.shape[-2]

    def split(x):
        return x.unflatten(-1, (num_heads, d_k)).transpose(-3, -2)

    q = split(in_features @ q_proj_weight.mT)
    k = split(in_features @ k_proj_weight.mT)
    v = split(in_features @ v_proj_weight.mT)
    pos = torch.arange(T) if token_positions is None else token_positions
    if pos.dim() > 1:
        pos = pos.unsqueeze(-2)
    q, k = rope(d_k, theta, max_seq_len, q, pos), rope(d_k, theta, max_seq_len, k, pos)
    return scaled_dot_product_attention(q, k, v).transpose(-3, -2).flatten(-2) @ o_proj_weight.mT
