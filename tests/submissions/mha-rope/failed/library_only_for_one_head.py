"""The library serves one head only.
Rule: no-library-attention
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
    if num_heads == 1:
        heads = F.scaled_dot_product_attention(q, k, v)
    else:
        heads = scaled_dot_product_attention(q, k, v)
    merged = heads.transpose(-3, -2).reshape(*lead, seq, d_model)
    return merged @ o_proj_weight.T
