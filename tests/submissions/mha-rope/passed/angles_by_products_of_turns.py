"""Angles by addition of turns, cumulative products of complex numbers."""

import math
import functools

import numpy as np
import torch
import torch.nn.functional as F
from einops import einsum, rearrange, repeat
from torch import Tensor, nn


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    inv = theta ** (-torch.arange(0, d_k, 2, device=x.device, dtype=torch.float64) / d_k)
    step = torch.polar(torch.ones_like(inv), inv)
    turns = torch.cat([torch.ones_like(step)[None], step.expand(max_seq_len - 1, -1).cumprod(0)]) if max_seq_len > 1 else torch.ones_like(step)[None]
    turn = turns[token_positions]
    z = torch.complex(x[..., ::2].double(), x[..., 1::2].double()) * turn
    return torch.stack([z.real, z.imag], -1).flatten(-2).to(x.dtype)


def softmax(x, dim):
    shifted = x - x.max(dim=dim, keepdim=True).values
    e = torch.exp(shifted)
    return e / e.sum(dim=dim, keepdim=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    probs = softmax(scores, dim=-1)
    return probs @ V


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
        y = torch.matmul(x, weight.t()).reshape(batch, seq, num_heads, dh)
        return y.permute(0, 2, 1, 3).reshape(batch * num_heads, seq, dh)

    if token_positions is None:
        token_positions = torch.arange(seq, device=x.device)
    pos = token_positions.expand(*lead, seq).reshape(batch, 1, seq)
    pos = pos.expand(batch, num_heads, seq).reshape(batch * num_heads, seq)
    q = rope(dh, theta, max_seq_len, into_heads(q_proj_weight), pos)
    k = rope(dh, theta, max_seq_len, into_heads(k_proj_weight), pos)
    o = scaled_dot_product_attention(q, k, into_heads(v_proj_weight))
    o = o.reshape(batch, num_heads, seq, dh).permute(0, 2, 1, 3).reshape(*lead, seq, d_model)
    return o @ o_proj_weight.T
