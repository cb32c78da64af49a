"""RoPE as an autograd.Function whose backward turns the other way."""

import math
import torch
import torch.nn.functional as F
from torch import Tensor


def _turn(x, cos, sin):
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], -1).flatten(-2)


class Rotate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, cos, sin):
        ctx.save_for_backward(cos, sin)
        return _turn(x, cos, sin)

    @staticmethod
    def backward(ctx, upstream):
        cos, sin = ctx.saved_tensors
        return _turn(upstream, cos, -sin), None, None


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    angle = token_positions.double().unsqueeze(-1) * theta ** (-torch.arange(0, d_k, 2).double() / d_k)
    return Rotate.apply(in_query_or_key, angle.cos().to(in_query_or_key), angle.sin().to(in_query_or_key))


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V


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
    if d_model % num_heads:
        raise ValueError("num_heads has to divide d_model")
    d_head = d_model // num_heads
    *lead, seq, _ = in_features.shape
    qkv = [F.linear(in_features, w) for w in (q_proj_weight, k_proj_weight, v_proj_weight)]
    q, k, v = [t.unflatten(-1, (num_heads, d_head)).transpose(-3, -2) for t in qkv]
    pos = torch.arange(seq, device=in_features.device) if token_positions is None else token_positions
    pos = pos.expand(*lead, seq).unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, q, pos)
    k = rope(d_head, theta, max_seq_len, k, pos)
    heads = scaled_dot_product_attention(q, k, v)
    return F.linear(heads.transpose(-3, -2).flatten(-2), o_proj_weight)
