"""Short and functional: every step one einsum over weights that are cut into heads, log-softmax, no reshape of activations."""

import torch
from torch import einsum


def rope(d_k, theta, max_seq_len, x, token_positions):
    angles = _angles(d_k, theta, token_positions)
    turn = torch.polar(torch.ones_like(angles), angles)
    pairs = torch.complex(x[..., 0::2].double(), x[..., 1::2].double()) * turn
    return torch.stack((pairs.real, pairs.imag), -1).flatten(-2).to(x.dtype)


def _angles(d_k, theta, token_positions):
    exponents = torch.linspace(0, 1, d_k // 2 + 1, dtype=torch.float64, device=token_positions.device)[:-1]
    return token_positions[..., None] / theta**exponents


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = einsum("...qd,...kd->...qk", Q, K) / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    return einsum("...qk,...kd->...qd", torch.log_softmax(scores, -1).exp(), V)


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
    assert d_model % num_heads == 0
    q, k, v = (
        einsum("...sm,hdm->...hsd", in_features, weight.unflatten(0, (num_heads, -1)))
        for weight in (q_proj_weight, k_proj_weight, v_proj_weight)
    )
    p = torch.arange(q.shape[-2], device=q.device) if token_positions is None else token_positions
    p = p if p.dim() < 2 else p[..., None, :]
    q, k = (rope(q.shape[-1], theta, max_seq_len, x, p) for x in (q, k))
    heads = scaled_dot_product_attention(q, k, v)
    return einsum("...hsd,mhd->...sm", heads, o_proj_weight.unflatten(1, (num_heads, -1)))
