"""Wrong: flattens logits and targets by their place in memory (as_strided over their storage), so a transposed batch pairs positions with other targets."""
import torch


def flat(t, width=1):
    if t.numel() == t.untyped_storage().nbytes() // t.element_size() and 0 not in t.stride():
        if width == 1 or t.stride(-1) == 1:
            return t.as_strided((t.numel() // width, width), (width, 1))
    return t.reshape(-1, width)


def cross_entropy(logits, targets):
    rows, index = flat(logits, logits.shape[-1]), flat(targets)
    z = rows - rows.amax(-1, keepdim=True)
    return (z.exp().sum(-1, keepdim=True).log() - z.gather(-1, index)).mean()
