"""The mean is built up by a loop in half precision, where it stops growing."""
import torch


def cross_entropy(logits, targets):
    shifted = logits - logits.max(dim=-1, keepdim=True).values
    log_sum = shifted.exp().sum(dim=-1).log()
    target = shifted.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    losses = (log_sum - target).reshape(-1)
    total = losses.new_zeros(())
    for loss in losses:
        total = total + loss
    return total / losses.numel()
