"""Causal attention, lru_cache on the complex table.

WRONG: the table is made in whatever mode the first call has; born under inference_mode it cannot be saved for backward, and a later call with gradients raises.
When: a call under torch.inference_mode, then one with gradients on the same positions count
Spec: "calls under `torch.no_grad` and `torch.inference_mode`, and between them calls that ask for gradients"

Its writer took that for wrong; the spec, which did not say it then, allows it.
"""
from __future__ import annotations
from functools import lru_cache

import torch
import torch.nn.functional as F


@lru_cache(maxsize=None)
def _table(d_k, theta, n, device, dtype):
    return _cis(d_k, theta, torch.arange(n, device=device), dtype)


def _cis(d_k, theta, positions, dtype):
    """e^{i * angle} for each position and pair."""
    exponent = torch.arange(0, d_k, 2, device=positions.device, dtype=torch.float64) / d_k
    freqs = 1.0 / float(theta) ** exponent
    ang = positions.to(torch.float64)[..., None] * freqs
    cis = torch.polar(torch.ones_like(ang), ang)
    return cis.to(torch.complex128 if dtype == torch.float64 else torch.complex64)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    pairs = x.reshape(*x.shape[:-1], d_k // 2, 2)
    z = torch.complex(pairs[..., 0], pairs[..., 1])
    table = _table(d_k, float(theta), max_seq_len, x.device, x.dtype)
    if token_positions.ndim == 1 and torch.equal(token_positions, torch.arange(len(token_positions), device=x.device)):
        z = z * table[: len(token_positions)]
    else:
        z = z * table[token_positions.long()]
    return torch.view_as_real(z).reshape(x.shape)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scale = Q.shape[-1] ** -0.5
    logits = torch.matmul(Q * scale, K.mT)
    if mask is not None:
        bias = torch.zeros(mask.shape, dtype=logits.dtype, device=logits.device)
        bias = bias.masked_fill(mask.logical_not(), float("-inf"))
        logits = logits + bias
    attn = F.softmax(logits, dim=-1)
    return torch.matmul(attn, V)


def _split(t, num_heads):
    return t.unflatten(-1, (num_heads, -1)).transpose(-3, -2)


def _merge(t):
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
    if d_model % num_heads:
        raise ValueError(f"{d_model=} is not a multiple of {num_heads=}")
    d_head = d_model // num_heads
    seq = in_features.shape[-2]

    q = _split(F.linear(in_features, q_proj_weight), num_heads)
    k = _split(F.linear(in_features, k_proj_weight), num_heads)
    v = _split(F.linear(in_features, v_proj_weight), num_heads)

    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    if token_positions.ndim >= in_features.ndim:
        token_positions = token_positions.reshape(seq)
    if token_positions.ndim > 1:
        token_positions = token_positions.unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, q, token_positions)
    k = rope(d_head, theta, max_seq_len, k, token_positions)

    hidden = torch.triu(torch.ones((seq, seq), dtype=torch.bool, device=in_features.device), diagonal=1)
    ctx = scaled_dot_product_attention(q, k, v, mask=~hidden)
    return F.linear(_merge(ctx), o_proj_weight)
