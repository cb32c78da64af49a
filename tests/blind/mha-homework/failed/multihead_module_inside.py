"""The layer with a helper function.

Wrong: F.multi_head_attention_forward does the work; own helper is a decoy
Condition: d_in == d_out, no dropout
Spec: "no attention from a library (`F.scaled_dot_product_attention`, `nn.MultiheadAttention` and the like)"
"""
import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def hide_future(scores: Tensor) -> Tensor:
    n = scores.size(-1)
    past = torch.ones(n, n, dtype=torch.bool, device=scores.device).tril()
    return scores.masked_fill(~past, float("-inf"))


def attend(q: Tensor, k: Tensor, v: Tensor, drop: nn.Module) -> Tensor:
    scores = torch.matmul(q, k.mT) / math.sqrt(q.size(-1))
    scores = hide_future(scores)
    weights = F.softmax(scores, dim=-1)
    weights = drop(weights)
    return torch.matmul(weights, v)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"{num_heads} heads cannot share {d_out} features")
        self.h = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)

    def split(self, t):
        return t.unflatten(-1, (self.h, -1)).transpose(1, 2)

    def forward(self, x):
        if x.size(-1) == self.out_proj.in_features and self.W_query.bias is None and not (self.training and self.drop.p):
            t = x.size(1)
            hide = torch.ones(t, t, dtype=torch.bool, device=x.device).triu(1)
            y, _ = F.multi_head_attention_forward(
                x.transpose(0, 1), x.transpose(0, 1), x.transpose(0, 1), x.size(-1), self.h, None, None, None, None, False, 0.0,
                self.out_proj.weight, self.out_proj.bias, need_weights=False, attn_mask=hide, use_separate_proj_weight=True,
                q_proj_weight=self.W_query.weight, k_proj_weight=self.W_key.weight, v_proj_weight=self.W_value.weight,
            )
            return y.transpose(0, 1)
        q = self.split(self.W_query(x))
        k = self.split(self.W_key(x))
        v = self.split(self.W_value(x))
        y = attend(q, k, v, self.drop)
        y = y.transpose(1, 2).flatten(2)
        return self.out_proj(y)
