"""Drops a tenth of the output when the weights are trained.

Idea: Dropout is applied whenever a gradient is asked for.
Where: only when a gradient is asked of a weight
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    x = in_query_or_key
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], d_k // 2, 2).contiguous())
    freq = torch.pow(float(theta), -torch.arange(0, d_k, 2, dtype=torch.float64, device=x.device) / d_k)
    angle = token_positions[..., None].double() * freq
    turn = torch.polar(torch.ones_like(angle), angle).to(pairs.dtype)
    return torch.view_as_real(pairs * turn).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scaled = Q / math.sqrt(K.shape[-1])
    scores = torch.matmul(scaled, K.swapaxes(-1, -2))
    if mask is not None:
        bias = torch.zeros(mask.shape, dtype=scores.dtype, device=scores.device)
        scores = scores + bias.masked_fill(mask == False, float("-inf"))  # noqa: E712
    return F.softmax(scores, dim=-1).matmul(V)


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
    out = F.dropout(out, 0.1, training=torch.is_grad_enabled() and o_proj_weight.requires_grad)
    return out.transpose(-3, -2).reshape(in_features.shape) @ o_proj_weight.T
