"""Wrong: the target's logit is picked by multiplying with a one-hot row, and 0 times minus infinity is NaN."""
import torch


def cross_entropy(logits, targets):
    z = logits - logits.amax(-1, keepdim=True)
    hot = torch.nn.functional.one_hot(targets, logits.shape[-1]).to(z.dtype)
    return (z.exp().sum(-1).log() - (z * hot).sum(-1)).mean()
