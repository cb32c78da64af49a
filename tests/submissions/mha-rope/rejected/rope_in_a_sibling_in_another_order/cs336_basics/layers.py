"""rope comes from a sibling, where it takes its input first.
Rejected: `in_query_or_key` comes before `d_k`; the order is rope(d_k, theta,
"""

import math

import torch
from einops import einsum, rearrange
from torch import Tensor

from cs336_basics.rotary import rope


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = einsum(Q, K, "... q d, ... k d -> ... q k") / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    return einsum(torch.softmax(scores, dim=-1), V, "... q k, ... k d -> ... q d")


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
    assert d_model % num_heads == 0, "d_model must be divisible by num_heads"
    d_head = d_model // num_heads
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    if token_positions.dim() > 1:
        token_positions = rearrange(token_positions, "... seq -> ... 1 seq")
    qkv = in_features @ torch.cat((q_proj_weight, k_proj_weight, v_proj_weight)).T
    q, k, v = rearrange(qkv, "... seq (three h d) -> three ... h seq d", three=3, h=num_heads)
    q, k = (rope(d_head, theta, max_seq_len, x, token_positions) for x in (q, k))
    heads = scaled_dot_product_attention(q, k, v)
    return rearrange(heads, "... h seq d -> ... seq (h d)") @ o_proj_weight.T
