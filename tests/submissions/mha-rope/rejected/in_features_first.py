"""What the function works on stands first, the sizes behind it.
Rejected: `in_features` comes before `d_model`
"""

import math

import torch
from einops import einsum, rearrange
from torch import Tensor


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    device = in_query_or_key.device
    inverse = 1.0 / theta ** (torch.arange(0, d_k, 2, device=device, dtype=torch.float32) / d_k)
    table = torch.outer(torch.arange(max_seq_len, device=device, dtype=torch.float32), inverse)
    cos, sin = table.cos()[token_positions], table.sin()[token_positions]
    x1, x2 = rearrange(in_query_or_key, "... (pairs two) -> two ... pairs", two=2)
    turned = torch.stack((x1 * cos - x2 * sin, x1 * sin + x2 * cos))
    return rearrange(turned, "two ... pairs -> ... (pairs two)").to(in_query_or_key.dtype)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = einsum(Q, K, "... q d, ... k d -> ... q k") / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    return einsum(torch.softmax(scores, dim=-1), V, "... q k, ... k d -> ... q d")


def multihead_self_attention_with_rope(
    in_features: Tensor,
    d_model: int,
    num_heads: int,
    max_seq_len: int,
    theta: float,
    q_proj_weight: Tensor,
    k_proj_weight: Tensor,
    v_proj_weight: Tensor,
    o_proj_weight: Tensor,
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
