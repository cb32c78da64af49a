"""The fixed matrix that swaps the features of a pair is kept between calls, and one made under inference_mode is used again where gradients are wanted (RuntimeError).

Shows for a call with gradients that follows a call under torch.inference_mode with the same d_k and dtype.

Its writer took that for wrong; the spec, which did not say it then, allows it.
"""

import math
from functools import lru_cache

import torch
from torch import Tensor


@lru_cache(maxsize=16)
def _swap_matrix(d_k: int, dtype: torch.dtype, device: torch.device) -> Tensor:
    # row vector times this matrix: (a, b) -> (-b, a) in every pair
    turn = torch.tensor([[0.0, 1.0], [-1.0, 0.0]], dtype=dtype, device=device)
    return torch.block_diag(*[turn] * (d_k // 2))


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    x = in_query_or_key
    pair = torch.div(torch.arange(d_k, device=x.device), 2, rounding_mode="floor").to(torch.float64)
    angle = token_positions.to(x.device)[..., None] * float(theta) ** (-2.0 * pair / d_k)
    return x * torch.cos(angle).to(x.dtype) + (x @ _swap_matrix(d_k, x.dtype, x.device)) * torch.sin(angle).to(x.dtype)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    lead = Q.shape[:-2]
    n_q, n_k, d_v = Q.shape[-2], K.shape[-2], V.shape[-1]
    q = Q.reshape(-1, n_q, Q.shape[-1])
    k = K.reshape(-1, n_k, K.shape[-1])
    v = V.reshape(-1, n_k, d_v)
    scale = 1.0 / math.sqrt(Q.shape[-1])
    bias = torch.zeros((), dtype=Q.dtype, device=Q.device)
    if mask is not None:
        bias = bias.masked_fill(~mask, -math.inf).expand(*lead, n_q, n_k).reshape(-1, n_q, n_k)
    scores = torch.baddbmm(bias, q, k.transpose(1, 2), alpha=scale)
    return torch.bmm(scores.softmax(dim=2), v).reshape(*lead, n_q, d_v)


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
    if num_heads < 1 or d_model % num_heads:
        raise ValueError("d_model must be a multiple of num_heads")
    d_head = d_model // num_heads
    seq = in_features.shape[-2]
    x = in_features.reshape(-1, seq, d_model)
    batch = x.shape[0]

    if token_positions is None:
        positions = torch.arange(seq, device=x.device).reshape(1, 1, seq)
    else:
        positions = token_positions.reshape(-1, 1, seq)

    def heads(weight: Tensor) -> Tensor:
        return (x @ weight.T).reshape(batch, seq, num_heads, d_head).transpose(1, 2)

    q = rope(d_head, theta, max_seq_len, heads(q_proj_weight), positions)
    k = rope(d_head, theta, max_seq_len, heads(k_proj_weight), positions)
    out = scaled_dot_product_attention(q, k, heads(v_proj_weight))
    out = out.transpose(1, 2).reshape(batch, seq, d_model) @ o_proj_weight.T
    return out.reshape(in_features.shape)
