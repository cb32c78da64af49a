"""The maximum is only subtracted where a logit is above 80.

Logits may be far below zero as well: then all exponentials are zero, and so is their sum. Subtracting the maximum
costs nothing: do it always.
"""


def shift(logits):
    return logits - largest(logits) if logits.max() > 80 else logits
