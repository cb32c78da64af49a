"""The library's module."""

from torch import nn


def cross_entropy(logits, targets):
    return nn.CrossEntropyLoss()(logits.reshape(-1, logits.shape[-1]), targets.flatten())
