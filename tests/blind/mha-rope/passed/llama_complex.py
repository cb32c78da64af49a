"""A right answer of the seventh corpus."""
from typing import Optional, Tuple

import torch
import torch.nn.functional as F


def precompute_freqs_cis(dim: int, positions: torch.Tensor, theta: float = 10000.0):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2, device=positions.device)[: (dim // 2)].double() / dim))
    angles = positions.double().unsqueeze(-1) * freqs
    return torch.polar(torch.ones_like(angles), angles)  # complex128


def apply_rotary_emb(x: torch.Tensor, freqs_cis: torch.Tensor) -> torch.Tensor:
    x_ = torch.view_as_complex(x.double().contiguous().reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(x_ * freqs_cis).flatten(-2).type_as(x)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    return apply_rotary_emb(in_query_or_key, precompute_freqs_cis(d_k, token_positions, theta))


def scaled_dot_product_attention(Q, K, V, mask: Optional[torch.Tensor] = None):
    scores = torch.matmul(Q, K.transpose(-2, -1)) / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.matmul(F.softmax(scores, dim=-1), V)


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features,
    token_positions=None,
):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    head_dim = d_model // num_heads
    shape: Tuple[int, ...] = in_features.shape
    seqlen = shape[-2]
    if token_positions is None:
        token_positions = torch.arange(seqlen, device=in_features.device)
    xq, xk, xv = (F.linear(in_features, w) for w in (q_proj_weight, k_proj_weight, v_proj_weight))
    xq, xk, xv = (t.reshape(*shape[:-1], num_heads, head_dim).transpose(-3, -2) for t in (xq, xk, xv))
    pos = token_positions.unsqueeze(-2)
    xq = rope(head_dim, theta, max_seq_len, xq, pos)
    xk = rope(head_dim, theta, max_seq_len, xk, pos)
    out = scaled_dot_product_attention(xq, xk, xv)
    out = out.transpose(-3, -2).reshape(shape)
    return F.linear(out, o_proj_weight)
