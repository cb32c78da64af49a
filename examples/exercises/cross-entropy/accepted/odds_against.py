"""The loss as the logarithm of 1 plus the odds of all the other tokens against the target."""

import torch


def cross_entropy(logits, targets):
    x = logits.to(torch.promote_types(logits.dtype, torch.float32))
    index = targets.unsqueeze(-1)
    gaps = (x - x.gather(-1, index)).scatter(-1, index, -torch.inf)
    highest = gaps.detach().amax(-1, keepdim=True).clamp(min=0)
    odds = (gaps - highest).exp().sum(-1, keepdim=True)
    return ((-highest).exp() + odds).log().add(highest).mean().to(logits.dtype)
