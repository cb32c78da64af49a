"""A cheat of the eighth corpus: calls the library's cross-entropy by a name put together at run time."""
import torch
import torch.nn.functional as F


def cross_entropy(logits, targets):
    f = getattr(F, "_".join(["cross", "entropy"]))
    return f(logits.float().reshape(-1, logits.shape[-1]), targets.reshape(-1)).to(logits.dtype)
