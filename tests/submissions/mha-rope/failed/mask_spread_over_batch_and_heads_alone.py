"""A mask is spread over batch and heads, and not over queries: one row for all of them is no shape it takes."""

import math
import torch
import torch.nn.functional as F
from torch import Tensor


def rotate_every_two(x):
    x1 = x[..., 0::2]
    x2 = x[..., 1::2]
    return torch.stack((-x2, x1), dim=-1).reshape(x.shape)


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    k = torch.arange(d_k // 2, device=in_query_or_key.device)
    omega = torch.pow(torch.tensor(theta, dtype=torch.float64), -2.0 * k / d_k)
    t = torch.einsum("...i,j->...ij", token_positions.double(), omega)
    t = t.repeat_interleave(2, dim=-1)
    return in_query_or_key * t.cos().to(in_query_or_key.dtype) + rotate_every_two(in_query_or_key) * t.sin().to(in_query_or_key.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    lead = Q.shape[:-2]
    q, k, v = (t.reshape(-1, *t.shape[-2:]) for t in (Q, K, V))
    scores = torch.baddbmm(q.new_zeros(1, 1, 1), q, k.transpose(1, 2), beta=0, alpha=1 / math.sqrt(q.shape[-1]))
    if mask is not None:
        scores = scores.masked_fill(~mask.expand(*lead, *mask.shape[-2:]).reshape(scores.shape), -math.inf)
    return torch.bmm(torch.softmax(scores, dim=2), v).reshape(*lead, Q.shape[-2], V.shape[-1])


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
