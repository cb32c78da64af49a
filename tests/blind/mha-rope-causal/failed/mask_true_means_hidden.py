"""In the attention True means hidden, and the multi-head function makes its mask to fit.

Shows in scaled_dot_product_attention alone with a mask, or in the mask it is handed; the multi-head result is right.
"""

import torch
from torch import Tensor


def unit_numbers(d_k: int, theta: float, positions: Tensor) -> Tensor:
    """(...,) -> (..., d_k/2), complex128 of length one."""
    i = torch.arange(d_k // 2, dtype=torch.float64, device=positions.device)
    angles = positions.double().unsqueeze(-1) * torch.pow(float(theta), -2 * i / d_k)
    return torch.polar(torch.ones_like(angles), angles)


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    x = in_query_or_key
    pairs = x.reshape(*x.shape[:-1], d_k // 2, 2).contiguous()
    z = torch.view_as_complex(pairs)
    z = z * unit_numbers(d_k, theta, token_positions).to(z.dtype)
    return torch.view_as_real(z).reshape(x.shape)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = (Q * Q.size(-1) ** -0.5) @ K.mT
    if mask is not None:
        scores = torch.where(mask, -torch.inf, scores)
    return scores.softmax(-1) @ V


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
    d_head, rest = divmod(d_model, num_heads)
    if rest:
        raise ValueError(f"{num_heads} heads do not divide {d_model} features")
    seq = in_features.size(-2)
    device = in_features.device
    place = torch.arange(seq, device=device)

    if token_positions is None:
        positions = place
    else:
        positions = token_positions.expand(*in_features.shape[:-1]) if token_positions.ndim < in_features.ndim \
            else token_positions.reshape(seq)
        positions = positions.unsqueeze(-2)

    q, k, v = (
        (in_features @ w.T).unflatten(-1, (num_heads, d_head)).transpose(-3, -2)
        for w in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    q, k = (rope(d_head, theta, max_seq_len, t, positions) for t in (q, k))
    hidden = place[:, None] < place[None, :]
    heads = scaled_dot_product_attention(q, k, v, hidden)
    return heads.transpose(-3, -2).flatten(-2) @ o_proj_weight.T
