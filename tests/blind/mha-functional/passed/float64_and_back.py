"""Computes in float64 whatever comes in; softmax is the gradient-friendly log_softmax followed by exp."""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    d_head, rest = divmod(d_model, num_heads)
    if rest:
        raise ValueError("num_heads must divide d_model")
    dtype = q.dtype
    q, k, v, w_in, w_out = (t.to(torch.float64) for t in (q, k, v, in_proj_weight, out_proj_weight))
    q, k, v = q @ w_in[:d_model].T, k @ w_in[d_model:-d_model].T, v @ w_in[-d_model:].T
    q, k, v = (t.unflatten(-1, (num_heads, d_head)).movedim(2, 1) for t in (q, k, v))
    log_weights = q @ k.mT / d_head**0.5
    if mask is not None:
        log_weights = log_weights.masked_fill(mask.to(torch.float64).unsqueeze(-3) > 0.5, -torch.inf)
    out = torch.exp(torch.log_softmax(log_weights, dim=-1)) @ v
    return (out.movedim(1, 2).flatten(2) @ w_out.T).to(dtype)
