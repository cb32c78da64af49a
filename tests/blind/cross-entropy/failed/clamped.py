"""Logits are clamped to -100 and 100, so larger ones are cut off."""
import torch


def cross_entropy(logits, targets):
    logits = logits.clamp(-100, 100)
    shifted = logits - logits.max(dim=-1, keepdim=True).values
    log_sum = shifted.exp().sum(dim=-1).log()
    target = shifted.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    return (log_sum - target).mean()
