"""A full block-diagonal matrix for each position."""

import math
import functools

import numpy as np
import torch
import torch.nn.functional as F
from einops import einsum, rearrange, repeat
from torch import Tensor, nn


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    inv = theta ** (-torch.arange(0, d_k, 2, device=x.device).float() / d_k)
    ang = token_positions.float()[..., None] * inv
    c, s = ang.cos(), ang.sin()
    big = torch.zeros(*ang.shape[:-1], d_k, d_k, device=x.device)
    even = torch.arange(0, d_k, 2, device=x.device)
    big[..., even, even] = c
    big[..., even + 1, even + 1] = c
    big[..., even, even + 1] = -s
    big[..., even + 1, even] = s
    return (big.to(x.dtype) @ x[..., None])[..., 0]


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
    if not d_model % num_heads == 0:
        raise ValueError("bad number of heads")
    d_h = d_model // num_heads
    wq = q_proj_weight.view(num_heads, d_h, d_model)
    wk = k_proj_weight.view(num_heads, d_h, d_model)
    wv = v_proj_weight.view(num_heads, d_h, d_model)
    wo = o_proj_weight.view(d_model, num_heads, d_h)
    q = torch.einsum("...sm,hdm->...hsd", in_features, wq)
    k = torch.einsum("...sm,hdm->...hsd", in_features, wk)
    v = torch.einsum("...sm,hdm->...hsd", in_features, wv)
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    where = torch.unsqueeze(token_positions, -2)
    q, k = rope(d_h, theta, max_seq_len, q, where), rope(d_h, theta, max_seq_len, k, where)
    z = scaled_dot_product_attention(q, k, v)
    return torch.einsum("...hsd,mhd->...sm", z, wo)
