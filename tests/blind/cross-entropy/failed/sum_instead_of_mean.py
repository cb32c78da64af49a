"""Wrong: losses are divided by the length of the first leading axis only, not by the number of all positions."""
import torch


def cross_entropy(logits, targets):
    z = logits - logits.amax(-1, keepdim=True)
    losses = z.exp().sum(-1).log() - z.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    first = targets.shape[0] if targets.ndim else 1
    return losses.sum() / first
