"""Right: the minimalist."""
import torch


def rope(d, theta, _, x, pos):
    z = torch.polar(torch.ones(()).to(x), (pos[..., None] * theta ** (-torch.arange(0, d, 2).to(x) / d)))
    return torch.view_as_real(torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous()) * z).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q @ K.mT / Q.shape[-1] ** 0.5
    return (s if mask is None else s.masked_fill(~mask, -torch.inf)).softmax(-1) @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, wq, wk, wv, wo, x, token_positions=None):
    assert d_model % num_heads == 0
    n, d = x.shape[-2], d_model // num_heads
    pos = (torch.arange(n) if token_positions is None else token_positions)[..., None, :]
    q, k, v = ((x @ w.T).unflatten(-1, (num_heads, d)).transpose(-3, -2) for w in (wq, wk, wv))
    q, k = rope(d, theta, max_seq_len, q, pos), rope(d, theta, max_seq_len, k, pos)
    return scaled_dot_product_attention(q, k, v, torch.ones(n, n).tril().bool()).transpose(-3, -2).flatten(-2) @ wo.T
