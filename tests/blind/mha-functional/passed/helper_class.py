"""A helper class keeps the steps apart; a fresh one is made for each call."""

import math

import torch


class _Attention:
    def __init__(self, num_heads, d_model, w_in, w_out):
        if d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        self.h, self.d, self.dh = num_heads, d_model, d_model // num_heads
        self.wq, self.wk, self.wv = w_in[:d_model], w_in[d_model:2 * d_model], w_in[2 * d_model:]
        self.wo = w_out

    def split(self, x):
        b, l, _ = x.size()
        return x.view(b, l, self.h, self.dh).transpose(1, 2)

    def merge(self, x):
        b, _, l, _ = x.size()
        return x.transpose(1, 2).contiguous().view(b, l, self.d)

    def __call__(self, q, k, v, mask):
        q, k, v = self.split(q.matmul(self.wq.T)), self.split(k.matmul(self.wk.T)), self.split(v.matmul(self.wv.T))
        s = q.matmul(k.transpose(-2, -1)) / math.sqrt(self.dh)
        if mask is not None:
            if mask.dim() == 3:
                mask = mask.unsqueeze(1)
            s = s.masked_fill(mask == 1, float("-inf"))
        return self.merge(torch.softmax(s, -1).matmul(v)).matmul(self.wo.T)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    return _Attention(num_heads, d_model, in_proj_weight, out_proj_weight)(q, k, v, mask)
