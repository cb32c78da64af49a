"""A right answer of the seventh corpus."""
import math
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F


@dataclass
class _Cache:
    keys: list = field(default_factory=list)
    values: list = field(default_factory=list)


def reshape_for_broadcast(freqs_cis: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    missing = x.ndim - freqs_cis.ndim
    return freqs_cis.reshape(*freqs_cis.shape[:0], *([1] * missing), *freqs_cis.shape)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    freqs = 1.0 / (theta ** (torch.arange(0, d_k, 2)[: (d_k // 2)].to(torch.float64) / d_k))
    t = torch.arange(max_seq_len, dtype=torch.float64)
    table = torch.polar(torch.ones(max_seq_len, d_k // 2, dtype=torch.float64), torch.outer(t, freqs))
    freqs_cis = table.to(in_query_or_key.device)[token_positions]
    xc = torch.view_as_complex(in_query_or_key.to(torch.float64).contiguous().reshape(*in_query_or_key.shape[:-1], -1, 2))
    out = torch.view_as_real(xc * reshape_for_broadcast(freqs_cis, xc)).flatten(-2)
    return out.type_as(in_query_or_key)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.matmul(Q, K.transpose(-1, -2)) / math.sqrt(Q.shape[-1])
    if mask is not None:
        additive = torch.full(mask.shape, float("-inf"), device=mask.device, dtype=scores.dtype)
        scores = scores + additive.masked_fill(mask, 0.0)
    scores = F.softmax(scores, dim=-1).type_as(Q)
    return torch.matmul(scores, V)


def multihead_self_attention_with_rope(
    d_model, num_heads, max_seq_len, theta, q_proj_weight, k_proj_weight, v_proj_weight, o_proj_weight, in_features,
    token_positions=None, start_pos=0, cache: _Cache | None = None,
):
    head_dim = d_model // num_heads
    assert head_dim * num_heads == d_model
    *bsz, seqlen, _ = in_features.shape
    xq, xk, xv = F.linear(in_features, q_proj_weight), F.linear(in_features, k_proj_weight), F.linear(in_features, v_proj_weight)
    xq = xq.view(*bsz, seqlen, num_heads, head_dim).transpose(-2, -3)
    xk = xk.view(*bsz, seqlen, num_heads, head_dim).transpose(-2, -3)
    xv = xv.view(*bsz, seqlen, num_heads, head_dim).transpose(-2, -3)
    if token_positions is None:
        token_positions = torch.arange(start_pos, start_pos + seqlen, device=in_features.device)
    xq = rope(head_dim, theta, max_seq_len, xq, token_positions.unsqueeze(-2))
    xk = rope(head_dim, theta, max_seq_len, xk, token_positions.unsqueeze(-2))
    if cache is not None:
        cache.keys.append(xk)
        cache.values.append(xv)
        xk, xv = torch.cat(cache.keys, -2), torch.cat(cache.values, -2)
    mask = torch.ones(seqlen, xk.shape[-2], dtype=torch.bool, device=xq.device).tril(xk.shape[-2] - seqlen)
    output = scaled_dot_product_attention(xq, xk, xv, mask)
    output = output.transpose(-2, -3).contiguous().reshape(*bsz, seqlen, -1).reshape(in_features.shape)
    return F.linear(output, o_proj_weight)
