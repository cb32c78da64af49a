"""A module as one would write it for a model, called with the given weights by torch.func.functional_call."""

import torch
from torch import nn
from torch.func import functional_call


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        if width % heads != 0:
            raise ValueError(f"{heads} heads do not divide {width} features")
        self.heads = heads
        self.query = nn.Linear(width, width, bias=False, device="meta")
        self.key = nn.Linear(width, width, bias=False, device="meta")
        self.value = nn.Linear(width, width, bias=False, device="meta")
        self.out = nn.Linear(width, width, bias=False, device="meta")

    def split(self, x):
        return x.view(x.size(0), x.size(1), self.heads, -1).transpose(1, 2)

    def forward(self, q, k, v, mask):
        Q, K, V = self.split(self.query(q)), self.split(self.key(k)), self.split(self.value(v))
        scores = Q @ K.transpose(-1, -2) / Q.size(-1) ** 0.5
        if mask is not None:
            mask = mask.bool()
            mask = mask[None, None] if mask.dim() == 2 else mask[:, None]
            scores = torch.where(mask, torch.finfo(scores.dtype).min, scores)
        heads = scores.softmax(dim=-1) @ V
        return self.out(heads.transpose(1, 2).contiguous().view(q.size(0), q.size(1), -1))


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    names = ("query.weight", "key.weight", "value.weight", "out.weight")
    weights = (*in_proj_weight.split(d_model), out_proj_weight)
    return functional_call(Attention(d_model, num_heads), dict(zip(names, weights, strict=True)), (q, k, v, mask))
