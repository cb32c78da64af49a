"""Q and K are split as (d h), V as (h d).
Diagnosis: head-order
"""

import math
import functools

import numpy as np
import torch
import torch.nn.functional as F
from einops import einsum, rearrange, repeat
from torch import Tensor, nn


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    exponent = torch.arange(0, d_k, 2, device=x.device).double() / d_k
    freqs = 1.0 / torch.pow(torch.tensor(float(theta), dtype=torch.float64, device=x.device), exponent)
    angles = token_positions[..., None].double() * freqs
    turn = torch.polar(torch.ones_like(angles), angles)
    z = torch.view_as_complex(x.double().reshape(*x.shape[:-1], d_k // 2, 2).contiguous())
    return torch.view_as_real(z * turn).flatten(-2).to(x.dtype)


def scaled_dot_product_attention(Q, K, V, mask=None):
    lead = Q.shape[:-2]
    q, k, v = (t.reshape(-1, *t.shape[-2:]) for t in (Q, K, V))
    scores = torch.bmm(q, k.mT).div(Q.shape[-1] ** 0.5)
    if mask is not None:
        full = torch.broadcast_to(mask, (*lead, Q.shape[-2], K.shape[-2])).reshape(scores.shape)
        scores = scores.masked_fill(full.logical_not(), -torch.inf)
    scores = scores - scores.amax(-1, keepdim=True)
    w = scores.exp()
    w = w / w.sum(-1, keepdim=True)
    return torch.bmm(w, v).reshape(*lead, Q.shape[-2], V.shape[-1])


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta,
    q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight,
    in_features, token_positions=None,
):
    assert d_model % num_heads == 0, "heads must divide the model"
    d_head = d_model // num_heads
    Q = einsum(in_features, q_proj_weight, "... s i, o i -> ... s o")
    K = einsum(in_features, k_proj_weight, "... s i, o i -> ... s o")
    V = einsum(in_features, v_proj_weight, "... s i, o i -> ... s o")
    Q = rearrange(Q, "... s (d h) -> ... h s d", h=num_heads)
    K = rearrange(K, "... s (d h) -> ... h s d", h=num_heads)
    V = rearrange(V, "... s (h d) -> ... h s d", h=num_heads)
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    token_positions = rearrange(token_positions, "... s -> ... 1 s")
    Q = rope(d_head, theta, max_seq_len, Q, token_positions)
    K = rope(d_head, theta, max_seq_len, K, token_positions)
    out = scaled_dot_product_attention(Q, K, V)
    out = rearrange(out, "... h s d -> ... s (h d)")
    return einsum(out, o_proj_weight, "... s i, o i -> ... s o")
