"""The mask is added to the scores as it is.

Idea: Adding a 1 to a score hides nothing, and even raises it.
Where: only when a mask is given
"""

import math

import torch


class Attention:
    """All the settings of one call."""

    def __init__(self, h, d):
        if d % h:
            raise ValueError("not divisible")
        self.h, self.dh = h, d // h

    def heads(self, x):
        return x.reshape(*x.shape[:-1], self.h, self.dh).transpose(-2, -3)

    def weights(self, q, k, mask):
        s = self.heads(q) @ self.heads(k).transpose(-1, -2) / math.sqrt(self.dh)
        if mask is not None:
            s = s + mask.expand(q.shape[0], q.shape[1], k.shape[1]).unsqueeze(1).to(s.dtype)
        return torch.softmax(s, -1)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    a = Attention(num_heads, d_model)
    wq, wk, wv = in_proj_weight.split(d_model, 0)
    y = a.weights(q @ wq.T, k @ wk.T, mask) @ a.heads(v @ wv.T)
    return y.transpose(-2, -3).flatten(-2) @ out_proj_weight.T
