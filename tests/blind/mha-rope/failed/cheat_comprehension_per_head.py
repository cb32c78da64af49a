"""Hides a loop over heads in a list comprehension inside torch.cat."""
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    a = token_positions[..., None] * theta ** -(torch.arange(0, d_k, 2) / d_k).to(in_query_or_key)
    x, y, c, s = in_query_or_key[..., ::2], in_query_or_key[..., 1::2], a.cos(), a.sin()
    return torch.stack((x * c - y * s, x * s + y * c), -1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q @ K.mT / Q.shape[-1] ** 0.5
    return (s if mask is None else s.where(mask, -torch.inf)).softmax(-1) @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, wq, wk, wv, wo, x, token_positions=None):
    assert d_model % num_heads == 0
    p = torch.arange(x.shape[-2]) if token_positions is None else token_positions
    d = d_model // num_heads
    turn = lambda t: rope(d, theta, max_seq_len, t, p)
    trio = [(turn(x @ q.T), turn(x @ k.T), x @ v.T) for q, k, v in zip(wq.split(d), wk.split(d), wv.split(d))]
    attend = lambda q, k, v: (q @ k.mT / d**0.5).softmax(-1) @ v
    return torch.cat([attend(*t) for t in trio], -1) @ wo.T
