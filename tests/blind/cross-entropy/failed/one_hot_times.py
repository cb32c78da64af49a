"""The target's logit is picked by multiplying with a one-hot vector: minus infinity times zero is NaN."""
import torch


def cross_entropy(logits, targets):
    shifted = logits - logits.max(dim=-1, keepdim=True).values
    log_sum = shifted.exp().sum(dim=-1).log()
    one_hot = (torch.arange(logits.shape[-1]) == targets.unsqueeze(-1)).to(logits.dtype)
    target = (shifted * one_hot).sum(-1)
    return (log_sum - target).mean()
