"""The rotation table is kept from call to call, and one made under inference_mode cannot be used in a backward.

Shows when the first call with these sizes is made under inference_mode and a later one, without token_positions, wants gradients.

Its writer took that for wrong; the spec, which did not say it then, allows it.
"""

from functools import lru_cache

import torch
from torch import Tensor


@lru_cache(maxsize=16)
def unit_numbers(d_k: int, theta: float, length: int, dtype: torch.dtype, device: torch.device) -> Tensor:
    """(length, d_k/2), complex numbers of length one."""
    i = torch.arange(d_k // 2, dtype=torch.float64, device=device)
    angles = torch.arange(length, dtype=torch.float64, device=device).unsqueeze(-1) * torch.pow(float(theta), -2 * i / d_k)
    return torch.polar(torch.ones_like(angles), angles).to(dtype)


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    x = in_query_or_key
    pairs = x.reshape(*x.shape[:-1], d_k // 2, 2).contiguous()
    z = torch.view_as_complex(pairs)
    table = unit_numbers(d_k, theta, max_seq_len, z.dtype, z.device)
    if token_positions.ndim == 1 and token_positions.equal(torch.arange(x.shape[-2], device=x.device)):
        z = z * table[: x.shape[-2]]
    else:
        z = z * table[token_positions]
    return torch.view_as_real(z).reshape(x.shape)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = (Q * Q.size(-1) ** -0.5) @ K.mT
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
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
    may_attend = place[:, None] >= place[None, :]
    heads = scaled_dot_product_attention(q, k, v, may_attend)
    return heads.transpose(-3, -2).flatten(-2) @ o_proj_weight.T
