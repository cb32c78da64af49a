"""exp of log_softmax."""

import math
import functools

import numpy as np
import torch
import torch.nn.functional as F
from einops import einsum, rearrange, repeat
from torch import Tensor, nn


def rotation_table(d_k, theta, max_seq_len, device):
    pos = torch.arange(max_seq_len, device=device).float()
    i = torch.arange(d_k // 2, device=device).float()
    ang = pos[:, None] / (theta ** (2 * i / d_k))[None, :]
    c, s = torch.cos(ang), torch.sin(ang)
    row0 = torch.stack((c, -s), dim=-1)
    row1 = torch.stack((s, c), dim=-1)
    return torch.stack((row0, row1), dim=-2)  # (max_seq_len, d_k/2, 2, 2)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    table = rotation_table(d_k, theta, max_seq_len, in_query_or_key.device).to(in_query_or_key.dtype)
    rot = table[token_positions]
    pairs = in_query_or_key.unflatten(-1, (d_k // 2, 2))
    return torch.einsum("...pij,...pj->...pi", rot, pairs).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = torch.einsum("...qd,...kd->...qk", Q, K)
    logits = logits * K.size(-1) ** -0.5
    if mask is not None:
        logits = torch.where(mask, logits, torch.finfo(logits.dtype).min)
    attn = F.log_softmax(logits, dim=-1).exp()
    return torch.einsum("...qk,...kd->...qd", attn, V)


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
