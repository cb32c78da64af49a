"""Minus infinity is taken for 0.

nan_to_num and masked_fill with 0 make an ordinary token of one that is impossible, and it gets a probability. The
exponential of minus infinity is 0 without any help.
"""


def widen(logits):
    wide = logits.to(torch.promote_types(logits.dtype, torch.float32))
    return wide.masked_fill(wide.isinf(), 0)
