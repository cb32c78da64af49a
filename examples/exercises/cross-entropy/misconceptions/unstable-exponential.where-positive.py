"""The maximum is only subtracted where it is positive.

Logits near -1000 have exponentials that are all zero, and so is their sum. A negative maximum must be subtracted as
well.
"""


def largest(logits):
    return logits.amax(dim=-1, keepdim=True).clamp(min=0)
