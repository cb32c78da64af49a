"""A loop where only weights ask for gradients.
Rule: no-loop-over-heads
"""

import math
import torch


def rope(d_k, theta, max_seq_len, x, token_positions):
    i = torch.arange(0, d_k, 2, dtype=torch.float64)
    angle = token_positions.to(torch.float64).unsqueeze(-1) * theta ** (-i / d_k)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return torch.softmax(scores, dim=-1) @ V


def multihead_self_attention_with_rope(d_model, num_heads, max_seq_len, theta, wq, wk, wv, wo, x, token_positions=None):
    assert d_model % num_heads == 0
    *batch, seq, _ = x.shape
    d_head = d_model // num_heads
    heads = lambda w: (x @ w.T).reshape(*batch, seq, num_heads, d_head).transpose(-3, -2)
    q, k, v = heads(wq), heads(wk), heads(wv)
    given = token_positions
    positions = torch.arange(seq) if token_positions is None else token_positions
    if positions.dim() > 1:
        positions = positions.unsqueeze(-2)
    q, k = (rope(d_head, theta, max_seq_len, t, positions) for t in (q, k))
    if wq.requires_grad and not x.requires_grad:
        out = torch.stack(
            [scaled_dot_product_attention(a, b, c) for a, b, c in zip(q.unbind(-3), k.unbind(-3), v.unbind(-3))], dim=-3
        )
    else:
        out = scaled_dot_product_attention(q, k, v)
    return out.transpose(-3, -2).reshape(*batch, seq, d_model) @ wo.T
