"""Full attention that memoizes by the version counter.

WRONG: projections are kept by (id, _version); tensors made in inference mode have no version counter, and asking for it raises RuntimeError.
When: in_features or weights are inference tensors
Spec: "calls under `torch.no_grad` and `torch.inference_mode`, and between them calls that ask for gradients"
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


_last = {}


def project(name, x, w):
    grad = torch.is_grad_enabled() and (x.requires_grad or w.requires_grad)
    key = (x._version, w._version)
    hit = _last.get(name)
    if grad or hit is None or hit[0] is not x or hit[1] is not w or hit[2] != key:
        hit = (x, w, key, einsum(x, w, "... s i, o i -> ... s o"))
        if not grad and not torch.is_inference_mode_enabled():
            _last[name] = hit
    return hit[3]


def softmax(x, dim):
    x = x - x.amax(dim=dim, keepdim=True)
    e = torch.exp(x)
    return e / e.sum(dim=dim, keepdim=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.size(-1)
    scores = einsum(Q, K, "... q d, ... k d -> ... q k") * d_k**-0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    probs = softmax(scores, dim=-1)
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

    Q = rearrange(project("q", x, q_proj_weight), "... s (h d) -> ... h s d", h=num_heads)
    K = rearrange(project("k", x, k_proj_weight), "... s (h d) -> ... h s d", h=num_heads)
    V = rearrange(project("v", x, v_proj_weight), "... s (h d) -> ... h s d", h=num_heads)

    if token_positions is None:
        pos = torch.arange(seq, device=x.device)
    elif x.ndim == 2:
        pos = token_positions.reshape(seq)
    else:
        pos = rearrange(token_positions, "... s -> ... 1 s")
    Q = rope(d_k, theta, max_seq_len, Q, pos)
    K = rope(d_k, theta, max_seq_len, K, pos)

    heads = scaled_dot_product_attention(Q, K, V)
    merged = rearrange(heads, "... h s d -> ... s (h d)")
    return einsum(merged, o_proj_weight, "... s i, o i -> ... s o")
