"""Wrong: the mask of the first call is kept and cut for later ones; a longer sequence sees the future."""
from typing import Dict, Tuple

import torch
from torch import Tensor, nn

_MASKS: Dict[Tuple[int, torch.device], Tensor] = {}


def later(n: int, device: torch.device) -> Tensor:
    global _MASKS
    key = device
    if key not in _MASKS:
        with torch.inference_mode(False):
            _MASKS[key] = torch.ones((n, n), dtype=torch.bool, device=device).triu_(1)
    mask = _MASKS[key][:n, :n]
    return torch.nn.functional.pad(mask, (0, n - mask.size(1), 0, n - mask.size(0)))


def softmax_of_visible(scores: Tensor) -> Tensor:
    scores = scores.masked_fill(later(scores.size(-1), scores.device), -float("inf"))
    powers = torch.exp(scores - torch.max(scores, dim=-1, keepdim=True).values)
    return powers / torch.sum(powers, dim=-1, keepdim=True)


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_q, self.W_k, self.W_v = [nn.Linear(d_in, d_out, qkv_bias) for _ in range(3)]
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        return torch.bmm(self.drop(softmax_of_visible(torch.bmm(q, k.mT) / q.size(2) ** 0.5)), v)


class MultiHeadAttentionWrapper(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        self.heads = nn.ModuleList(CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for _ in range(num_heads))

    def forward(self, x):
        b, t, _ = x.shape
        out = x.new_empty(b, t, 0)
        for head in self.heads:
            out = torch.cat((out, head(x)), dim=-1)
        return out


class MultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        if d_out % num_heads != 0:
            raise ValueError(f"{d_out=} is not divisible by {num_heads=}")
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v = [nn.Linear(d_in, d_out, qkv_bias) for _ in range(3)]
        self.W_o = nn.Linear(d_out, d_out)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        b, t, _ = x.shape
        q, k, v = (
            w(x).reshape(b, t, self.num_heads, -1).movedim(2, 1).flatten(0, 1) for w in (self.W_q, self.W_k, self.W_v)
        )
        weights = self.drop(softmax_of_visible(torch.bmm(q, k.mT) / q.size(2) ** 0.5))
        return self.W_o(torch.bmm(weights, v).unflatten(0, (b, self.num_heads)).movedim(1, 2).flatten(2))
