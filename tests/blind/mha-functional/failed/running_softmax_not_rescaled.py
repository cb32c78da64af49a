"""A running softmax over blocks of keys.

Idea: What was summed before is not corrected when a later block brings a higher maximum.
Where: only when L_k is above 16
"""

import torch


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("d_model must be divisible by num_heads")
    n, lq, lk = q.shape[0], q.shape[1], k.shape[1]
    Q, K, V = ((x @ w.T).unflatten(-1, (num_heads, -1)).transpose(1, 2) for x, w in zip((q, k, v), in_proj_weight.chunk(3)))
    hidden = torch.zeros(n, 1, lq, lk, dtype=torch.bool) if mask is None else mask.bool().expand(n, lq, lk)[:, None]
    top = torch.full_like(Q[..., :1], torch.finfo(q.dtype).min)
    num, den = torch.zeros_like(Q), torch.zeros_like(Q[..., :1])
    for i in range(0, lk, 16):
        s = Q @ K[:, :, i:i + 16].mT * Q.shape[-1] ** -0.5
        s = s.masked_fill(hidden[..., i:i + 16], float("-inf"))
        top = torch.maximum(top, s.amax(-1, keepdim=True)).detach()
        e = torch.exp(s - top)
        num, den = num + e @ V[:, :, i:i + 16], den + e.sum(-1, keepdim=True)
    return (num / den).transpose(1, 2).flatten(2) @ out_proj_weight.T
