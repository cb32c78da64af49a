"""Compares each token's number with the target, and leaves the others out by a condition, not by a product."""

import torch


def cross_entropy(scores, labels):
    wide = scores.to(torch.promote_types(scores.dtype, torch.float32))
    is_target = torch.arange(scores.size(-1), device=scores.device) == labels[..., None]
    lowered = wide - wide.detach().amax(-1, keepdim=True)
    of_target = torch.where(is_target, lowered, torch.zeros_like(lowered)).sum(-1)
    return torch.mean(lowered.exp().sum(-1).log() - of_target).type_as(scores)
