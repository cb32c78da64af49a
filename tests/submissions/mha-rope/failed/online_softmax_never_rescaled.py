"""An online softmax in blocks of 128 keys forgets to rescale its sum."""

import dataclasses
import functools
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


_TABLES = {}


def _table(d_k, theta, length, device, dtype):
    key = (d_k, float(theta), device, dtype)
    got = _TABLES.get(key)
    if got is None or got[0].shape[0] < length:
        with torch.no_grad():
            t = torch.arange(length, device=device, dtype=torch.float64)
            f = torch.arange(0, d_k, 2, device=device, dtype=torch.float64).div_(-d_k)
            a = t[:, None] * torch.pow(theta, f)
            got = _TABLES[key] = (a.cos().to(dtype), a.sin().to(dtype))
    return got


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    cos, sin = _table(d_k, theta, max_seq_len, in_query_or_key.device, in_query_or_key.dtype)
    cos, sin = cos[token_positions], sin[token_positions]
    x = in_query_or_key.unflatten(-1, (d_k // 2, 2))
    x0, x1 = x[..., 0], x[..., 1]
    return torch.stack([x0 * cos - x1 * sin, x1 * cos + x0 * sin], dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    """Online softmax over blocks of keys, as in FlashAttention."""
    block = 128
    scale = 1.0 / math.sqrt(Q.shape[-1])
    lead = torch.broadcast_shapes(Q.shape[:-2], K.shape[:-2], V.shape[:-2])
    nq, nk = Q.shape[-2], K.shape[-2]
    m = Q.new_full((*lead, nq, 1), -1e30)
    l = Q.new_zeros((*lead, nq, 1))
    acc = Q.new_zeros((*lead, nq, V.shape[-1]))
    if mask is not None:
        mask = mask.expand(*lead, nq, nk)
    for start in range(0, nk, block):
        sl = slice(start, min(start + block, nk))
        s = Q @ K[..., sl, :].transpose(-1, -2) * scale
        if mask is not None:
            s = s.masked_fill(~mask[..., sl], -torch.inf)
        m_new = torch.maximum(m, s.amax(-1, keepdim=True))
        p = torch.exp(s - m_new)
        corr = torch.exp(m - m_new)
        l = l + p.sum(-1, keepdim=True)
        acc = acc + p @ V[..., sl, :]
        m = m_new
    return acc / l


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features, token_positions=None):

    # (bsz, seqlen, n_heads, head_dim) as in llama until the very end
    assert d_model % num_heads == 0
    head_dim = d_model // num_heads
    xq = F.linear(in_features, q_proj_weight).unflatten(-1, (num_heads, head_dim))
    xk = F.linear(in_features, k_proj_weight).unflatten(-1, (num_heads, head_dim))
    xv = F.linear(in_features, v_proj_weight).unflatten(-1, (num_heads, head_dim))
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    pos = token_positions.unsqueeze(-1).expand(*token_positions.shape, num_heads)
    xq = rope(head_dim, theta, max_seq_len, xq, pos)
    xk = rope(head_dim, theta, max_seq_len, xk, pos)
    xq, xk, xv = (t.transpose(-2, -3) for t in (xq, xk, xv))
    output = scaled_dot_product_attention(xq, xk, xv)
    output = output.transpose(-2, -3).contiguous().flatten(-2)
    return F.linear(output, o_proj_weight)
