"""Wrong: computes the probability and then its logarithm, so a target hundreds below the largest logit gets an infinite loss."""
import torch


def cross_entropy(logits, targets):
    e = torch.exp(logits - logits.amax(-1, keepdim=True))
    p = e / e.sum(-1, keepdim=True)
    return -torch.log(p.gather(-1, targets[..., None])).mean()
