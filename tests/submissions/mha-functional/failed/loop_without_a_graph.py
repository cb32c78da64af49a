"""A loop where no gradients are recorded.
Rule: no-loop-over-heads
"""

import math
import torch


def attend(Q, K, V, mask):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, -torch.inf)
    return torch.softmax(scores, dim=-1) @ V


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    assert d_model % num_heads == 0
    d_head = d_model // num_heads
    N, L, _ = q.shape
    wq, wk, wv = in_proj_weight.chunk(3)
    split = lambda x, w: (x @ w.T).reshape(N, -1, num_heads, d_head).transpose(1, 2)
    Q, K, V = split(q, wq), split(k, wk), split(v, wv)
    given = mask
    if mask is not None:
        mask = mask.bool()
        mask = mask.unsqueeze(1) if mask.dim() == 3 else mask
    if not torch.is_grad_enabled():
        m = None if mask is None else mask.squeeze(1) if mask.dim() == 4 else mask
        out = torch.stack([attend(Q[:, h], K[:, h], V[:, h], m) for h in range(num_heads)], 1)
    else:
        out = attend(Q, K, V, mask)
    return out.transpose(1, 2).reshape(N, L, d_model) @ out_proj_weight.T
