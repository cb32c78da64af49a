"""The softmax written out with the row's maximum; queries scaled first; -1e9 for what is hidden; matmul and permute."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads:
            raise ValueError("the heads must share d_out evenly")
        self.num_heads = num_heads
        self.to_q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_v = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.to_out = nn.Linear(d_out, d_out)
        self.p = dropout

    @staticmethod
    def softmax(scores):
        e = torch.exp(scores - scores.max(dim=-1, keepdim=True)[0])
        return e / torch.sum(e, dim=-1, keepdim=True)

    def heads(self, x):
        return x.reshape(*x.shape[:2], self.num_heads, -1).permute(0, 2, 1, 3)

    def forward(self, x):
        q, k, v = self.heads(self.to_q(x)), self.heads(self.to_k(x)), self.heads(self.to_v(x))
        scores = torch.matmul(q / q.shape[-1] ** 0.5, k.permute(0, 1, 3, 2))
        i = torch.arange(x.shape[1], device=x.device)
        scores = torch.where(i[None, :] > i[:, None], torch.tensor(-1e9, dtype=x.dtype), scores)
        weights = nn.functional.dropout(self.softmax(scores), p=self.p, training=self.training)
        return self.to_out(torch.matmul(weights, v).permute(0, 2, 1, 3).flatten(start_dim=2))
