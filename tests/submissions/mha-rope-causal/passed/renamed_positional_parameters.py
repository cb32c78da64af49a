"""Other parameter names in the same order."""

import torch


def rope(dim, base, max_len, x, pos):
    w = base ** (-torch.arange(0, dim, 2) / dim)
    a = pos.unsqueeze(-1) * w
    c, s = a.cos().to(x), a.sin().to(x)
    return torch.stack([x[..., ::2] * c - x[..., 1::2] * s, x[..., ::2] * s + x[..., 1::2] * c], -1).flatten(-2)


def scaled_dot_product_attention(query, key, value, attn_mask=None):
    s = query @ key.mT / query.shape[-1] ** 0.5
    if attn_mask is not None:
        s = s.masked_fill(~attn_mask, float("-inf"))
    return s.softmax(-1) @ value


def multihead_self_attention_with_rope(dim, n_head, max_len, base, wq, wk, wv, wo, x, pos=None):
    assert dim % n_head == 0
    if pos is None:
        pos = torch.arange(x.shape[-2])
    pos = pos.unsqueeze(-2)
    q, k, v = ((x @ w.T).unflatten(-1, (n_head, dim // n_head)).transpose(-3, -2) for w in (wq, wk, wv))
    q, k = rope(dim // n_head, base, max_len, q, pos), rope(dim // n_head, base, max_len, k, pos)
    return scaled_dot_product_attention(q, k, v, torch.arange(q.shape[-2])[:, None] >= torch.arange(q.shape[-2])[None, :]).transpose(-3, -2).flatten(-2) @ wo.T
