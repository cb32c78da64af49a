"""Causal attention, the softmax shift is taken before the mask.

WRONG: the maximum subtracted includes hidden keys; if a hidden score is several hundred higher, all visible ones underflow: 0/0.
When: a hidden key scores far above the visible ones
Spec: "scores of several hundred, above zero or below, or differing so from one query to the next: each result is finite"

Its writer took that for wrong; the spec, which did not say it then, allows it.
"""

import torch
from einops import einsum, rearrange


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    """Rotary embedding (interleaved pairs)."""
    x = rearrange(in_query_or_key, "... s (p two) -> ... s p two", two=2)
    pair = torch.arange(d_k // 2, device=x.device, dtype=torch.double)
    freq = torch.exp(-2 * pair / d_k * torch.log(torch.tensor(float(theta), dtype=torch.double, device=x.device)))
    ang = einsum(token_positions.double(), freq, "... s, p -> ... s p")
    c, s = torch.cos(ang).to(x.dtype), torch.sin(ang).to(x.dtype)
    x0, x1 = x.unbind(-1)
    y = torch.stack([x0 * c - x1 * s, x0 * s + x1 * c], -1)
    return rearrange(y, "... s p two -> ... s (p two)")


def softmax(x, dim):
    x = x - x.amax(dim=dim, keepdim=True)
    e = torch.exp(x)
    return e / e.sum(dim=dim, keepdim=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.size(-1)
    scores = einsum(Q, K, "... q d, ... k d -> ... q k") * d_k**-0.5
    scores = scores - scores.amax(dim=-1, keepdim=True)
    e = scores.exp()
    if mask is not None:
        e = e * mask
    probs = e / e.sum(dim=-1, keepdim=True)
    return einsum(probs, V, "... q k, ... k d -> ... q d")


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
    if d_model % num_heads != 0:
        raise ValueError("num_heads has to divide d_model")
    d_k = d_model // num_heads
    x = in_features
    seq = x.shape[-2]

    Q = rearrange(einsum(x, q_proj_weight, "... s i, o i -> ... s o"), "... s (h d) -> ... h s d", h=num_heads)
    K = rearrange(einsum(x, k_proj_weight, "... s i, o i -> ... s o"), "... s (h d) -> ... h s d", h=num_heads)
    V = rearrange(einsum(x, v_proj_weight, "... s i, o i -> ... s o"), "... s (h d) -> ... h s d", h=num_heads)

    if token_positions is None:
        pos = torch.arange(seq, device=x.device)
    elif x.ndim == 2:
        pos = token_positions.reshape(seq)
    else:
        pos = rearrange(token_positions, "... s -> ... 1 s")
    Q = rope(d_k, theta, max_seq_len, Q, pos)
    K = rope(d_k, theta, max_seq_len, K, pos)

    idx = torch.arange(seq, device=x.device)
    causal = idx[:, None] >= idx[None, :]
    heads = scaled_dot_product_attention(Q, K, V, causal)
    merged = rearrange(heads, "... h s d -> ... s (h d)")
    return einsum(merged, o_proj_weight, "... s i, o i -> ... s o")
