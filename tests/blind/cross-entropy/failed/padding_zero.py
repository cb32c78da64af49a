"""Token 0 is taken for padding and left out."""
import torch


def cross_entropy(logits, targets):
    shifted = logits - logits.max(dim=-1, keepdim=True).values
    log_sum = shifted.exp().sum(dim=-1).log()
    target = shifted.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    keep = targets != 0
    return ((log_sum - target) * keep).sum() / keep.sum().clamp(min=1)
