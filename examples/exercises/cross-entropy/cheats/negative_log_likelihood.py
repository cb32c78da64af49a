"""The choice and the mean by the library."""

import torch
from torch.nn.functional import nll_loss


def cross_entropy(logits, targets):
    rows = logits.reshape(-1, logits.shape[-1])
    x = rows.to(torch.promote_types(rows.dtype, torch.float32))
    x = x - x.amax(-1, keepdim=True)
    return nll_loss(x - x.exp().sum(-1, keepdim=True).log(), targets.reshape(-1)).to(logits.dtype)
