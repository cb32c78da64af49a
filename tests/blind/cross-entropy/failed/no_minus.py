"""The sign is wrong: it is the logarithm of the probability, not minus it."""
import torch


def cross_entropy(logits, targets):
    shifted = logits - logits.max(dim=-1, keepdim=True).values
    log_sum = shifted.exp().sum(dim=-1).log()
    target = shifted.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    return (target - log_sum).mean()
