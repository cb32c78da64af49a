"""Takes the largest score of the whole tensor off.

Idea: One maximum is taken off for all rows, so rows with much smaller scores become 0/0.
Where: only when the largest scores of two rows differ by more than about 100
Id: unstable-softmax
"""

import math

import torch
from torch import Tensor


def _quarter_turn(x):
    """(x0, x1, x2, x3, ...) -> (-x1, x0, -x3, x2, ...)"""
    out = torch.empty_like(x)
    out[..., 0::2] = -x[..., 1::2]
    out[..., 1::2] = x[..., 0::2]
    return out


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    exponent = torch.arange(0, d_k, 2, device=in_query_or_key.device).double() / d_k
    angle = token_positions.double().unsqueeze(-1) / (theta ** exponent)
    angle = angle.repeat_interleave(2, dim=-1)
    x = in_query_or_key
    return x * angle.cos().to(x.dtype) + _quarter_turn(x) * angle.sin().to(x.dtype)


def _softmax(scores: Tensor) -> Tensor:
    shifted = scores - scores.max().detach()
    e = shifted.exp()
    return e / e.sum(dim=-1, keepdim=True)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = torch.matmul(Q, K.mT) / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), -math.inf)
    return torch.matmul(_softmax(scores), V)


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
    assert d_model % num_heads == 0, "num_heads must divide d_model"
    d_head = d_model // num_heads
    *lead, seq, _ = in_features.shape

    def heads(weight):
        y = in_features @ weight.T
        return y.reshape(*lead, seq, num_heads, d_head).transpose(-3, -2)

    q, k, v = heads(q_proj_weight), heads(k_proj_weight), heads(v_proj_weight)

    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)  # one axis for the heads
    q = rope(d_head, theta, max_seq_len, q, token_positions)
    k = rope(d_head, theta, max_seq_len, k, token_positions)

    out = scaled_dot_product_attention(q, k, v)
    return out.transpose(-3, -2).reshape(in_features.shape) @ o_proj_weight.T
