"""Right to first order only: 1 + s in place of exp(s), which small random inputs hardly tell apart."""
import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    a = token_positions[..., None] * theta ** -(torch.arange(0, d_k, 2) / d_k).to(in_query_or_key)
    x, y, c, s = in_query_or_key[..., ::2], in_query_or_key[..., 1::2], a.cos(), a.sin()
    return torch.stack((x * c - y * s, x * s + y * c), -1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q @ K.mT / Q.shape[-1] ** 0.5
    e = 1 + s + s * s / 2 + s**3 / 6 + s**4 / 24
    if mask is not None:
        e = e * mask
    return e / e.sum(-1, keepdim=True) @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, wq, wk, wv, wo, x, token_positions=None):
    assert d_model % num_heads == 0
    p = (torch.arange(x.shape[-2]) if token_positions is None else token_positions).unsqueeze(-2)
    q, k, v = ((x @ w.T).unflatten(-1, (num_heads, -1)).transpose(-3, -2) for w in (wq, wk, wv))
    q, k = (rope(q.shape[-1], theta, max_seq_len, t, p) for t in (q, k))
    return scaled_dot_product_attention(q, k, v).transpose(-3, -2).flatten(-2) @ wo.T
