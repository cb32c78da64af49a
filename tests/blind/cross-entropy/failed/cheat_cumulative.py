"""A cheat of the eighth corpus: takes the last entry of logcumsumexp, a logsumexp under another name."""
import torch


def cross_entropy(logits, targets):
    x = logits.double()
    return (torch.logcumsumexp(x, -1)[..., -1] - x.gather(-1, targets[..., None])[..., 0]).mean().to(logits.dtype)
