"""One long row of all logits, and the place of each target in it."""

import torch


def cross_entropy(logits, targets):
    vocab_size = logits.size(-1)
    x = logits.contiguous().view(-1, vocab_size).float()
    peak, _ = torch.max(x, 1, keepdim=True)
    below = x - peak
    places = torch.arange(0, x.numel(), vocab_size) + targets.flatten()
    nll = torch.einsum("nv->n", below.exp()).log() - below.flatten().index_select(0, places)
    return (nll.sum() / nll.numel()).to(logits.dtype)
