"""Multi-head attention with RoPE, tables from a cache.

Wrong: the cached tables can be inference tensors
Condition: first call under inference_mode, then one with gradients
Spec: "calls under `torch.no_grad` and `torch.inference_mode`, and between them calls that ask for gradients"

Its writer took that for wrong; the spec, which did not say it then, allows it.
"""
from functools import lru_cache

import torch
import torch.nn.functional as F
from torch import Tensor


@lru_cache(maxsize=32)
def tables(d_k, theta, max_seq_len, device, dtype):
    with torch.no_grad():
        freq = 1.0 / theta ** (torch.arange(0, d_k, 2, dtype=torch.float64) / d_k)
        angle = torch.outer(torch.arange(max_seq_len, dtype=torch.float64), freq)
        return angle.cos().to(device, dtype), angle.sin().to(device, dtype)


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    x = in_query_or_key
    cos, sin = tables(d_k, float(theta), max_seq_len, x.device, x.dtype)
    where = token_positions.to(x.device).long()
    cos, sin = cos.view(-1, d_k // 2), sin.view(-1, d_k // 2)
    if not torch.equal(where, torch.arange(max_seq_len)):
        cos, sin = cos[where], sin[where]
    a, b = x.unflatten(-1, (-1, 2)).unbind(-1)
    turned = torch.stack([a * cos - b * sin, b * cos + a * sin], -1)
    return turned.reshape(x.shape)


def softmax(s):
    top = s.amax(-1, keepdim=True).detach()
    e = torch.exp(s - top)
    return e / e.sum(-1, keepdim=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scale = Q.shape[-1] ** -0.5
    scores = torch.einsum("...qd,...kd->...qk", Q, K) * scale
    if mask is not None:
        scores = torch.where(mask, scores, torch.full_like(scores, float("-inf")))
    p = softmax(scores)
    return torch.einsum("...qk,...kv->...qv", p, V)


def positions_for(x, token_positions):
    seq = x.shape[-2]
    if token_positions is None:
        return torch.arange(seq, device=x.device)
    if token_positions.ndim == 1:
        return token_positions
    if x.ndim == 2:
        return token_positions[0]
    return token_positions[..., None, :]


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
    if d_model % num_heads:
        raise ValueError("num_heads must divide d_model")
    d_head = d_model // num_heads
    x = in_features
    lead, seq = x.shape[:-2], x.shape[-2]
    q = F.linear(x, q_proj_weight)
    k = F.linear(x, k_proj_weight)
    v = F.linear(x, v_proj_weight)
    q, k, v = (t.reshape(*lead, seq, num_heads, d_head).movedim(-2, -3) for t in (q, k, v))
    pos = positions_for(x, token_positions)
    q = rope(d_head, theta, max_seq_len, q, pos)
    k = rope(d_head, theta, max_seq_len, k, pos)
    y = scaled_dot_product_attention(q, k, v)
    y = y.movedim(-3, -2).reshape(*lead, seq, d_model)
    return F.linear(y, o_proj_weight)
