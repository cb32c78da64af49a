"""A class keeps the tables, keyed by all that they depend on."""

import math
from functools import lru_cache

import torch
from torch import Tensor


@lru_cache(maxsize=32)
def _frequencies(d_k: int, theta: float, device: torch.device) -> Tensor:
    with torch.inference_mode(False):
        return theta ** (-torch.arange(0, d_k, 2, dtype=torch.float64, device=device) / d_k)


class Rotary:
    def __init__(self, d_k, theta, device):
        self.freq = _frequencies(d_k, theta, device)

    def __call__(self, x, positions):
        angle = positions[..., None] * self.freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        first, second = x[..., ::2], x[..., 1::2]
        return torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1).flatten(-2)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    return Rotary(d_k, theta, in_query_or_key.device)(in_query_or_key, token_positions)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = (Q @ K.transpose(-1, -2)) * (1.0 / math.sqrt(Q.shape[-1]))
    if mask is not None:
        # no row is hidden completely, so the lowest finite number will do
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return scores.softmax(dim=-1) @ V


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
    assert d_model % num_heads == 0, "num_heads must divide d_model"
    d_head = d_model // num_heads
    *lead, seq, _ = in_features.shape

    def heads(weight):
        y = in_features @ weight.T
        return y.reshape(*lead, seq, num_heads, d_head).transpose(-3, -2)

    q, k, v = heads(q_proj_weight), heads(k_proj_weight), heads(v_proj_weight)

    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)  # one axis for the heads
    q = rope(d_head, theta, max_seq_len, q, token_positions)
    k = rope(d_head, theta, max_seq_len, k, token_positions)

    out = scaled_dot_product_attention(q, k, v)
    return out.transpose(-3, -2).reshape(in_features.shape) @ o_proj_weight.T
