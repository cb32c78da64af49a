"""The target's logit is subtracted instead of the maximum, so the sum overflows where the target is far below."""
import torch


def cross_entropy(logits, targets):
    own = logits.gather(-1, targets.unsqueeze(-1))
    return torch.log(torch.exp(logits - own).sum(-1)).mean()
