"""Right: the mask is expanded to (..., heads, seq, seq), q is scaled before the product, own names for everything."""

import torch as th
import torch.nn.functional as f

inf = float("inf")


def spin(t, ang):
    """turn neighbours of the last axis by ang"""
    x, y = t.chunk(2, dim=-1) if t.shape[-1] == 2 else (t[..., ::2], t[..., 1::2])
    c, s = th.cos(ang).to(t.dtype), th.sin(ang).to(t.dtype)
    u, w = x * c - y * s, x * s + y * c
    return th.cat((u[..., None], w[..., None]), dim=-1).reshape(t.shape)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    w = th.logspace(0, -(d_k - 2) / d_k, d_k // 2, base=float(theta), dtype=th.float64, device=in_query_or_key.device)
    return spin(in_query_or_key, token_positions.double().unsqueeze(-1).mul(w))


def scaled_dot_product_attention(Q, K, V, mask=None):
    a = Q.div(Q.size(-1) ** 0.5) @ K.swapaxes(-1, -2)
    if mask is not None:
        m = mask.expand(a.shape)
        a = a.where(m, a.new_tensor(-inf))
    return f.softmax(a, dim=-1, dtype=a.dtype) @ V


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
    if d_model // num_heads * num_heads != d_model:
        raise AssertionError("heads must divide d_model")
    dh, n = d_model // num_heads, in_features.size(-2)
    pack = lambda w: f.linear(in_features, w).unflatten(-1, (num_heads, dh)).swapaxes(-2, -3)
    pos = th.arange(n, device=in_features.device) if token_positions is None else token_positions
    pos = pos.reshape(n) if in_features.ndim == 2 else pos.unsqueeze(-2)
    q, k = (rope(dh, theta, max_seq_len, pack(w), pos) for w in (q_proj_weight, k_proj_weight))
    see = th.ones(n, n, device=q.device, dtype=th.bool).tril().expand(*q.shape[:-1], n)
    y = scaled_dot_product_attention(Q=q, K=k, V=pack(v_proj_weight), mask=see)
    return f.linear(y.swapaxes(-2, -3).flatten(-2), o_proj_weight)
