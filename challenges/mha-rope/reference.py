"""Multi-head self-attention with RoPE, in named steps. Written for reading; the judge runs it in float64.

RoPE: Su et al. 2021, equation 34 with the pairs interleaved. Attention: Vaswani et al. 2017, section 3.2.
"""

import math

import torch
from torch import Tensor


def pair_frequencies(d_k: int, theta: float) -> Tensor:
    """Radians per position of each pair (2i, 2i+1): theta ** (-2i / d_k), shape (d_k / 2,)."""
    return theta ** (-torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)


def pair_angles(d_k: int, theta: float, token_positions: Tensor) -> Tensor:
    """Angles of shape (..., seq, d_k / 2)."""
    return token_positions.to(torch.float64)[..., None] * pair_frequencies(d_k, theta).to(token_positions.device)


def rotate_pairs(x: Tensor, angles: Tensor) -> Tensor:
    """Turn each pair (x[2i], x[2i+1]) of the last axis by its angle, counter-clockwise."""
    cos, sin = torch.cos(angles).to(x.dtype), torch.sin(angles).to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    """Rotary position encoding of (..., seq, d_k) at positions (seq,) or broadcastable to (..., seq)."""
    return rotate_pairs(in_query_or_key, pair_angles(d_k, theta, token_positions))


def compare(Q: Tensor, K: Tensor) -> Tensor:
    """Scores of shape (..., queries, keys): how well each key answers each query."""
    return Q @ K.mT


def scale(scores: Tensor, d_k: int) -> Tensor:
    """Keep the variance of the scores at one whatever the head's size."""
    return scores / math.sqrt(d_k)


def softmax(scores: Tensor) -> Tensor:
    """Over the keys, the last axis; the row's maximum is taken off first so that exp cannot overflow."""
    weights = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return weights / weights.sum(dim=-1, keepdim=True)


def hide(scores: Tensor, mask: Tensor | None) -> Tensor:
    """A boolean mask, True where a query may attend."""
    return scores if mask is None else scores.masked_fill(~mask, -math.inf)


def gather(weights: Tensor, V: Tensor) -> Tensor:
    """Each query takes its share of every value."""
    return weights @ V


def scaled_dot_product_attention(Q, K, V, mask=None):
    """(..., queries, d_k), (..., keys, d_k), (..., keys, d_v) -> (..., queries, d_v)."""
    scores = scale(compare(Q, K), Q.shape[-1])
    return gather(softmax(hide(scores, mask)), V)


def check_heads(d_model: int, num_heads: int) -> None:
    """Heads share the features evenly."""
    if d_model % num_heads != 0:
        raise ValueError(f"d_model={d_model} does not divide into {num_heads} heads")


def project(x: Tensor, weight: Tensor) -> Tensor:
    """Weights are stored (out, in)."""
    return x @ weight.mT


def project_qkv(x, q_proj_weight, k_proj_weight, v_proj_weight):
    """Queries, keys and values of shape (..., seq, d_model)."""
    return project(x, q_proj_weight), project(x, k_proj_weight), project(x, v_proj_weight)


def project_output(merged: Tensor, o_proj_weight: Tensor) -> Tensor:
    """Mixes what the heads found."""
    return project(merged, o_proj_weight)


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """(..., seq, d_model) -> (..., heads, seq, d_head): head h owns features h*d_head to (h+1)*d_head."""
    return x.unflatten(-1, (num_heads, -1)).transpose(-3, -2)


def merge_heads(x: Tensor) -> Tensor:
    """(..., heads, seq, d_head) -> (..., seq, d_model)."""
    return x.transpose(-3, -2).flatten(-2)


def resolve_positions(token_positions: Tensor | None, x: Tensor) -> Tensor:
    """Absent positions count 0, 1, 2, ..."""
    return torch.arange(x.shape[-2], device=x.device) if token_positions is None else token_positions


def make_room_for_heads(token_positions: Tensor) -> Tensor:
    """(batch..., seq) -> (batch..., 1, seq), so that every head of a sequence gets that sequence's positions."""
    return token_positions if token_positions.dim() == 1 else token_positions.unsqueeze(-2)


def encode_positions(Q, K, V, theta, max_seq_len, token_positions):
    """RoPE turns queries and keys, head by head, and leaves the values."""
    d_head = Q.shape[-1]
    positions = make_room_for_heads(token_positions)
    return rope(d_head, theta, max_seq_len, Q, positions), rope(d_head, theta, max_seq_len, K, positions), V


def attend(Q, K, V):
    """Every position attends to every position."""
    return scaled_dot_product_attention(Q, K, V)


def multihead_self_attention_with_rope(
    d_model,
    num_heads,
    max_seq_len,
    theta,
    q_proj_weight,
    k_proj_weight,
    v_proj_weight,
    o_proj_weight,
    in_features,
    token_positions=None,
):
    """(..., seq, d_model) -> (..., seq, d_model)."""
    check_heads(d_model, num_heads)
    positions = resolve_positions(token_positions, in_features)
    projected = project_qkv(in_features, q_proj_weight, k_proj_weight, v_proj_weight)
    Q, K, V = (split_heads(x, num_heads) for x in projected)
    Q, K, V = encode_positions(Q, K, V, theta, max_seq_len, positions)
    return project_output(merge_heads(attend(Q, K, V)), o_proj_weight)
