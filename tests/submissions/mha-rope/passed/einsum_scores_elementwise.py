"""Scores by a broadcast product and a sum."""

import math
import functools

import numpy as np
import torch
import torch.nn.functional as F
from einops import einsum, rearrange, repeat
from torch import Tensor, nn


def rotate_every_two(x):
    x1, x2 = x[..., ::2], x[..., 1::2]
    return torch.stack((-x2, x1), dim=-1).reshape(x.shape)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    steps = torch.arange(0, d_k, 2, dtype=torch.float32, device=x.device)
    inv = torch.exp(-math.log(theta) * steps / d_k)
    ang = torch.einsum("...s,f->...sf", token_positions.float(), inv)
    ang = ang.repeat_interleave(2, dim=-1)
    return x * torch.cos(ang).to(x.dtype) + rotate_every_two(x) * torch.sin(ang).to(x.dtype)


def softmax(x, dim):
    shifted = x - x.max(dim=dim, keepdim=True).values
    e = torch.exp(shifted)
    return e / e.sum(dim=dim, keepdim=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = (Q.unsqueeze(-2) * K.unsqueeze(-3)).sum(-1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    probs = softmax(scores, dim=-1)
    return probs @ V


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
