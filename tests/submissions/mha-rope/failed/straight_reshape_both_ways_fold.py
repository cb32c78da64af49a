"""Reshaped straight to (heads, seq, d_head), and straight back.
Diagnosis: reshape-before-transpose
"""

import math
import functools

import numpy as np
import torch
import torch.nn.functional as F
from einops import einsum, rearrange, repeat
from torch import Tensor, nn


def rope(d_k: int, theta: float, max_seq_len: int, in_query_or_key: Tensor, token_positions: Tensor) -> Tensor:
    xp = rearrange(in_query_or_key, "... s (p two) -> two ... s p", two=2)
    freqs = theta ** -(torch.arange(d_k // 2, device=xp.device) * 2 / d_k)
    ang = einsum(token_positions.to(freqs), freqs, "... s, p -> ... s p")
    c, s = ang.cos().to(xp.dtype), ang.sin().to(xp.dtype)
    first = xp[0] * c - xp[1] * s
    second = xp[0] * s + xp[1] * c
    return rearrange([first, second], "two ... s p -> ... s (p two)")


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
    if d_model % num_heads != 0:
        raise ValueError("num_heads must divide d_model")
    lead, seq, dh = in_features.shape[:-2], in_features.shape[-2], d_model // num_heads
    x = in_features.reshape(-1, seq, d_model)
    batch = x.shape[0]

    def into_heads(weight):
        y = torch.matmul(x, weight.t()).reshape(batch * num_heads, seq, dh)
        return y

    if token_positions is None:
        token_positions = torch.arange(seq, device=x.device)
    pos = token_positions.expand(*lead, seq).reshape(batch, 1, seq)
    pos = pos.expand(batch, num_heads, seq).reshape(batch * num_heads, seq)
    q = rope(dh, theta, max_seq_len, into_heads(q_proj_weight), pos)
    k = rope(dh, theta, max_seq_len, into_heads(k_proj_weight), pos)
    o = scaled_dot_product_attention(q, k, into_heads(v_proj_weight))
    o = o.reshape(*lead, seq, d_model)
    return o @ o_proj_weight.T
