# Says: `rope` still ends in `raise NotImplementedError`, so the two functions that you did write cannot run.
# Line: 12
# Names: rope, NotImplementedError
# Kind: crash
import torch
from torch import Tensor


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    """Turn the pairs (2i, 2i+1) of the last axis by position * theta**(-2i/d_k). (..., seq, d_k) -> the same shape."""
    # TODO come back to this one
    raise NotImplementedError


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    """(..., queries, d_k), (..., keys, d_k), (..., keys, d_v) -> (..., queries, d_v). mask is True where a query may attend."""
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ V


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
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    *batch, seq, _ = in_features.shape
    q = (in_features @ q_proj_weight.T).reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)
    k = (in_features @ k_proj_weight.T).reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)
    v = (in_features @ v_proj_weight.T).reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, q, token_positions)
    k = rope(d_head, theta, max_seq_len, k, token_positions)
    out = scaled_dot_product_attention(q, k, v)
    return out.transpose(-3, -2).reshape(*batch, seq, d_model) @ o_proj_weight.T
