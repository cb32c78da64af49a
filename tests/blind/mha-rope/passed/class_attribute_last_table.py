"""A class attribute keeps the last table and its key; another key replaces it."""
import math

import torch
from torch import Tensor


class _Last:
    key = None
    cis = None


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    key = (d_k, theta, max_seq_len, x.device)
    if _Last.key != key:
        with torch.inference_mode(False), torch.no_grad():
            freq = torch.tensor([theta ** (-2 * i / d_k) for i in range(d_k // 2)], dtype=torch.float64, device=x.device)
            angle = torch.arange(max_seq_len, dtype=torch.float64, device=x.device).unsqueeze(1) * freq
            _Last.cis = torch.polar(torch.ones_like(angle), angle)
        _Last.key = key
    wide = torch.complex128 if x.dtype == torch.float64 else torch.complex64
    cis = _Last.cis[token_positions.long()].to(wide)
    z = torch.view_as_complex(x.reshape(*x.shape[:-1], d_k // 2, 2).contiguous())
    return torch.view_as_real(z * cis).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V


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
    d_head = d_model // num_heads
    seq = in_features.shape[-2]

    def split(t):
        return t.reshape(*t.shape[:-1], num_heads, d_head).transpose(-3, -2)

    q = split(in_features @ q_proj_weight.T)
    k = split(in_features @ k_proj_weight.T)
    v = split(in_features @ v_proj_weight.T)

    if token_positions is None:
        token_positions = torch.arange(seq, device=in_features.device)
    elif token_positions.dim() > 1 and in_features.dim() == 2:
        token_positions = token_positions.reshape(seq)
    if token_positions.dim() > 1:
        token_positions = token_positions.unsqueeze(-2)
    q = rope(d_head, theta, max_seq_len, q, token_positions)
    k = rope(d_head, theta, max_seq_len, k, token_positions)

    y = scaled_dot_product_attention(q, k, v)
    y = y.transpose(-3, -2)
    y = y.reshape(in_features.shape)
    return y @ o_proj_weight.T
