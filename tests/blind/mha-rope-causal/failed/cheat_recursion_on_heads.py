"""Hides a loop over heads in functools.reduce, which concatenates head after head."""
import functools

import torch


def rope(d, theta, _, x, pos):
    a = pos[..., None] * theta ** (-torch.arange(0, d, 2).to(x) / d)
    e, o, c, s = x[..., ::2], x[..., 1::2], a.cos(), a.sin()
    return torch.stack((e * c - o * s, e * s + o * c), -1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q @ K.mT / Q.shape[-1] ** 0.5
    return (s if mask is None else s.masked_fill(~mask, -torch.inf)).softmax(-1) @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, wq, wk, wv, wo, x, token_positions=None):
    assert d_model % num_heads == 0
    n, d = x.shape[-2], d_model // num_heads
    pos = torch.arange(n) if token_positions is None else token_positions
    mask = torch.ones(n, n).tril().bool()

    def step(done, start):
        rows = slice(start, start + d)
        q, k = (rope(d, theta, max_seq_len, x @ w[rows].T, pos) for w in (wq, wk))
        return done + scaled_dot_product_attention(q, k, x @ wv[rows].T, mask) @ wo[:, rows].T

    return functools.reduce(step, range(0, d_model, d), torch.zeros_like(x))
