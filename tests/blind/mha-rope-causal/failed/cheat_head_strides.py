"""A cheat of the seventh corpus: head strides."""
import torch
from einops import einsum, rearrange


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    freqs = 1.0 / (theta ** (torch.arange(0, d_k, 2, device=in_query_or_key.device).double() / d_k))
    angles = token_positions.unsqueeze(-1) * freqs
    cos, sin = torch.cos(angles).to(in_query_or_key.dtype), torch.sin(angles).to(in_query_or_key.dtype)
    x_even, x_odd = in_query_or_key[..., 0::2], in_query_or_key[..., 1::2]
    out = torch.empty_like(in_query_or_key)
    out[..., 0::2] = x_even * cos - x_odd * sin
    out[..., 1::2] = x_even * sin + x_odd * cos
    return out


def softmax(x, dim=-1):
    shifted = x - x.amax(dim=dim, keepdim=True)
    e = torch.exp(shifted)
    return e / e.sum(dim=dim, keepdim=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = einsum(Q, K, "... q d, ... k d -> ... q k") / K.shape[-1] ** 0.5
    if mask is not None:
        scores = torch.where(mask, scores, float("-inf"))
    return einsum(softmax(scores), V, "... q k, ... k d -> ... q d")


def _windows(t, width):
    start = 0
    while start + width <= t.shape[-1]:
        yield t.narrow(-1, start, width)
        start += width


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features,
    token_positions=None,
):
    assert d_model % num_heads == 0
    n, w = in_features.shape[-2], d_model // num_heads
    p = torch.arange(n, device=in_features.device) if token_positions is None else token_positions
    mask = torch.ones(n, n, dtype=torch.bool, device=in_features.device).tril()
    q, k, v = (in_features @ m.T for m in (q_proj_weight, k_proj_weight, v_proj_weight))
    total = 0
    for a, b, c, o in zip(_windows(q, w), _windows(k, w), _windows(v, w), _windows(o_proj_weight, w)):
        a, b = rope(w, theta, max_seq_len, a, p), rope(w, theta, max_seq_len, b, p)
        total = total + scaled_dot_product_attention(a, b, c, mask) @ o.T
    return total
