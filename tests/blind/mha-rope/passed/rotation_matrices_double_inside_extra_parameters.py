"""Right: block-diagonal rotation matrices, attention in double precision, defensive checks, more parameters with defaults."""

import torch
from einops import rearrange
from torch import Tensor


def rotation_matrices(d_k: int, theta: float, positions: Tensor) -> Tensor:
    """(..., seq) -> (..., seq, d_k, d_k), block diagonal."""
    R = torch.zeros(*positions.shape, d_k, d_k, dtype=torch.float64, device=positions.device)
    for pair in range(d_k // 2):
        alpha = positions.double() / float(theta) ** (2 * pair / d_k)
        e, o = 2 * pair, 2 * pair + 1
        R[..., e, e] = R[..., o, o] = alpha.cos()
        R[..., o, e] = alpha.sin()
        R[..., e, o] = -alpha.sin()
    return R


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    R = rotation_matrices(d_k, theta, token_positions).to(in_query_or_key.dtype)
    return (R @ in_query_or_key.unsqueeze(-1)).squeeze(-1)


def scaled_dot_product_attention(
    Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None, *, scale: float | None = None, dropout_p: float = 0.0
) -> Tensor:
    scale = Q.shape[-1] ** -0.5 if scale is None else scale
    # in double precision, whatever comes in
    logits = torch.matmul(Q.double() * scale, K.double().transpose(-2, -1))
    if mask is not None:
        if mask.dtype != torch.bool:
            raise TypeError("mask must be boolean")
        logits = logits.masked_fill(torch.logical_not(mask), float("-inf"))
    probs = logits.softmax(dim=-1)
    if dropout_p > 0.0:
        probs = torch.dropout(probs, dropout_p, True)
    return torch.matmul(probs, V.double()).to(Q.dtype)


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
    bias: Tensor | None = None,
) -> Tensor:
    if d_model % num_heads:
        raise ValueError("d_model has to be a multiple of num_heads")
    if in_features.shape[-1] != d_model:
        raise ValueError("in_features does not end in d_model")
    if not in_features.is_floating_point():
        raise TypeError("in_features must be floating point")
    n = in_features.shape[-2]
    if n > max_seq_len:
        raise ValueError("sequence too long")
    positions = torch.arange(n, device=in_features.device) if token_positions is None else token_positions
    if positions.shape[-1] != n:
        raise ValueError("one position per token")
    positions = rearrange(positions, "... n -> ... 1 n") if in_features.ndim > 2 else positions.reshape(1, n)

    def to_heads(weight: Tensor) -> Tensor:
        return rearrange(in_features @ weight.t(), "... n (h d) -> ... h n d", h=num_heads)

    q, k, v = map(to_heads, (q_proj_weight, k_proj_weight, v_proj_weight))
    q, k = (rope(d_model // num_heads, theta, max_seq_len, t, positions) for t in (q, k))
    y = scaled_dot_product_attention(q, k, v)
    out = rearrange(y, "... h n d -> ... n (h d)") @ o_proj_weight.t()
    return out if bias is None else out + bias
