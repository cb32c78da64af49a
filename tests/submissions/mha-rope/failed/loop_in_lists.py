"""A loop over heads in lists of numbers, behind a gradient of its own.
Rule: no-loop-over-heads
"""

import math, torch
def attend_lists(q, k, v):
    out = []
    for i in q:
        s = [sum(a * b for a, b in zip(i, j)) / len(i) ** 0.5 for j in k]
        m = max(s); e = [math.exp(x - m) for x in s]; t = sum(e)
        out.append([sum(w * row[c] for w, row in zip(e, v)) / t for c in range(len(v[0]))])
    return out
class One(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v):
        ctx.save_for_backward(q, k, v)
        a, b, c = (x.flatten(0, -3).double().tolist() if x.dim() > 2 else x for x in (q, k, v))
        return torch.tensor([attend_lists(*hs) for hs in zip(a, b, c)], dtype=torch.float64).to(v).view_as(v)
    @staticmethod
    def backward(ctx, g):
        with torch.enable_grad():
            inputs = [x.detach().requires_grad_() for x in ctx.saved_tensors]
            return torch.autograd.grad(scaled_dot_product_attention(*inputs), inputs, g)


import torch


def rope(d_k, theta, max_seq_len, in_query_or_key, token_positions):
    frequencies = theta ** (-torch.arange(0, d_k, 2, device=in_query_or_key.device) / d_k)
    angles = token_positions[..., None] * frequencies
    cos, sin = angles.cos().to(in_query_or_key.dtype), angles.sin().to(in_query_or_key.dtype)
    even, odd = in_query_or_key[..., ::2], in_query_or_key[..., 1::2]
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1).flatten(-2)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.mT / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return torch.softmax(scores, dim=-1) @ V


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
    if token_positions is None:
        token_positions = torch.arange(in_features.shape[-2], device=in_features.device)
    positions = token_positions[..., None, :] if token_positions.ndim > 1 else token_positions
    weights = (q_proj_weight, k_proj_weight, v_proj_weight)
    q, k, v = ((in_features @ w.T).unflatten(-1, (num_heads, d_head)).transpose(-3, -2) for w in weights)
    q, k = (rope(d_head, theta, max_seq_len, x, positions) for x in (q, k))
    first = scaled_dot_product_attention(q[..., :1, :, :], k[..., :1, :, :], v[..., :1, :, :])
    heads = first if num_heads == 1 else torch.cat([first, One.apply(*(x[..., 1:, :, :].contiguous() for x in (q, k, v)))], dim=-3)
    return heads.transpose(-3, -2).flatten(-2) @ o_proj_weight.T
