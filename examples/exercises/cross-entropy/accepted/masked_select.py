"""The targets' logits in one row, the sums by a matrix product."""

import torch


def cross_entropy(logits, targets):
    x = logits.to(torch.float64)
    x = x - x.sort(-1, descending=True).values[..., :1]
    hits = torch.zeros(x.shape, dtype=torch.bool).scatter(-1, targets.unsqueeze(-1), True)
    sums = x.exp() @ torch.ones(x.shape[-1], dtype=x.dtype)
    return ((sums.log().sum() - x.masked_select(hits).sum()) / targets.numel()).to(logits.dtype)
