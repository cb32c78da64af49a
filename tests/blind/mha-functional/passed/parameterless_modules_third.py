"""Multi-head attention put together from small nn.Modules that hold no parameters of their own."""
import torch
from torch import nn


class SplitHeads(nn.Module):
    def __init__(self, num_heads):
        super().__init__()
        self.num_heads = num_heads

    def forward(self, x):
        n, length, width = x.size()
        return x.reshape(n, length, self.num_heads, width // self.num_heads).transpose(1, 2)


class MergeHeads(nn.Module):
    def forward(self, x):
        n, heads, length, d_head = x.size()
        return x.transpose(1, 2).reshape(n, length, heads * d_head)


class ScaledDotProduct(nn.Module):
    def forward(self, query, key, value, hidden=None):
        scores = torch.matmul(query, key.transpose(-2, -1)) / (query.size(-1) ** 0.5)
        if hidden is not None:
            scores = scores.masked_fill(hidden, float("-inf"))
        return torch.matmul(torch.softmax(scores, -1), value)


def multi_head_attention(q, k, v, num_heads, d_model, mask=None, *, in_proj_weight, out_proj_weight):
    if d_model % num_heads != 0:
        raise ValueError("bad number of heads")
    split, merge, attend = SplitHeads(num_heads), MergeHeads(), ScaledDotProduct()
    w = in_proj_weight.unflatten(0, (3, d_model))
    query = split(nn.functional.linear(q, w[0]))
    key = split(nn.functional.linear(k, w[1]))
    value = split(nn.functional.linear(v, w[2]))
    hidden = None
    if mask is not None:
        hidden = mask.bool()
        if hidden.dim() == 2:
            hidden = hidden.unsqueeze(0)
        hidden = hidden.unsqueeze(1)
    return nn.functional.linear(merge(attend(query, key, value, hidden)), out_proj_weight)
