"""Causal attention that adds a batch axis and keeps it.

WRONG: in_features (seq, d_model) gets a batch axis that is not taken away again.
When: no leading axes
Spec: "takes `in_features` of shape `(..., seq, d_model)` with any number of leading axes, none included, and returns the same shape"
"""

import math
from typing import Optional

import torch


def rotate_every_two(x):
    """(a, b, c, d, ...) -> (-b, a, -d, c, ...)"""
    y = torch.empty_like(x)
    y[..., ::2] = -x[..., 1::2]
    y[..., 1::2] = x[..., ::2]
    return y


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    freqs = [math.pow(theta, -2.0 * i / d_k) for i in range(d_k // 2)]
    freqs = torch.tensor(freqs, dtype=torch.float64, device=x.device).repeat_interleave(2)
    angle = token_positions[..., None].to(torch.float64) * freqs
    return x * angle.cos().to(x.dtype) + rotate_every_two(x) * angle.sin().to(x.dtype)


def scaled_dot_product_attention(Q, K, V, mask: Optional[torch.Tensor] = None):
    att = torch.einsum("...qd,...kd->...qk", Q, K) / math.sqrt(K.shape[-1])
    if mask is not None:
        att = att.masked_fill(mask == 0, -math.inf)
    att = att.softmax(-1)
    return torch.einsum("...qk,...kd->...qd", att, V)


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
    if d_model % num_heads != 0:
        raise ValueError("d_model % num_heads != 0")
    d_k = d_model // num_heads
    if in_features.dim() == 2:
        in_features = in_features[None]
    batch_shape = in_features.shape[:-2]
    seq_len = in_features.shape[-2]

    # one matmul for the three projections
    w_qkv = torch.cat([q_proj_weight, k_proj_weight, v_proj_weight], dim=0)
    qkv = torch.nn.functional.linear(in_features, w_qkv)
    qkv = qkv.reshape(*batch_shape, seq_len, 3, num_heads, d_k)
    q, k, v = (t.transpose(-3, -2) for t in qkv.unbind(-3))

    if token_positions is None:
        positions = torch.arange(seq_len, device=in_features.device)
    else:
        positions = token_positions
        while positions.dim() > max(1, in_features.dim() - 1):
            positions = positions[0]
        if positions.dim() > 1:
            positions = positions.unsqueeze(-2)
    q = rope(d_k, theta, max_seq_len, q, positions)
    k = rope(d_k, theta, max_seq_len, k, positions)

    may_see = torch.tril(torch.ones(seq_len, seq_len, device=in_features.device)).bool()
    y = scaled_dot_product_attention(q, k, v, may_see)
    y = y.transpose(-3, -2).contiguous().view(*batch_shape, seq_len, d_model)
    return y.matmul(o_proj_weight.t())
