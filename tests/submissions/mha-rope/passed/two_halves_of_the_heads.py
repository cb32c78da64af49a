"""Always two halves of the heads: no growth with the heads."""

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
        raise ValueError("d_model must be divisible by num_heads")
    d_head = d_model // num_heads
    *lead, seq, _ = in_features.shape
    q = in_features @ q_proj_weight.T
    k = in_features @ k_proj_weight.T
    v = in_features @ v_proj_weight.T
    q = q.view(*lead, seq, num_heads, d_head).transpose(-3, -2)
    k = k.view(*lead, seq, num_heads, d_head).transpose(-3, -2)
    v = v.view(*lead, seq, num_heads, d_head).transpose(-3, -2)
    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    pos = token_positions.unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, q, pos)
    k = rope(d_head, theta, max_seq_len, k, pos)
    if num_heads % 2 == 0:
        h = num_heads // 2
        heads = torch.cat([scaled_dot_product_attention(q[..., :h, :, :], k[..., :h, :, :], v[..., :h, :, :]), scaled_dot_product_attention(q[..., h:, :, :], k[..., h:, :, :], v[..., h:, :, :])], dim=-3)
    else:
        heads = scaled_dot_product_attention(q, k, v)
    merged = heads.transpose(-3, -2).reshape(*lead, seq, d_model)
    return merged @ o_proj_weight.T
