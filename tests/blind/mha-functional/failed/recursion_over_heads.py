"""The first head is done here, and the rest by the function itself.

Idea: Recursion from head to head is a loop over the heads in disguise.
Where: everywhere
Rule: no-loop-over-heads
"""

import torch


def _rest(Q, K, V, hidden, d_head):
    if Q.shape[-1] == 0:
        return Q
    s = Q[..., :d_head] @ K[..., :d_head].mT / d_head ** 0.5
    if hidden is not None:
        s = s.masked_fill(hidden, -torch.inf)
    first = torch.softmax(s, -1) @ V[..., :d_head]
    return torch.cat([first, _rest(Q[..., d_head:], K[..., d_head:], V[..., d_head:], hidden, d_head)], dim=-1)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads:
        raise ValueError("d_model % num_heads")
    a, b, c = in_proj_weight.split(d_model)
    hidden = None if mask is None else mask.to(torch.bool)
    return _rest(q @ a.T, k @ b.T, v @ c.T, hidden, d_model // num_heads) @ out_proj_weight.T
