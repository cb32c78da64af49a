"""Your multi-head self-attention with RoPE.

Read mha-rope.md, fill in the three functions, then run `engine submit-build`.
"""

import torch
from torch import Tensor


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    """Rotate the pairs (2i, 2i+1) of the last axis by position * theta**(-2i/d_k). (..., seq, d_k) -> the same shape."""
    raise NotImplementedError


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    """(..., queries, d_k), (..., keys, d_k), (..., keys, d_v) -> (..., queries, d_v). mask is True where a query may attend."""
    raise NotImplementedError


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
    """(..., seq, d_model) -> (..., seq, d_model), with the two functions above."""
    raise NotImplementedError
