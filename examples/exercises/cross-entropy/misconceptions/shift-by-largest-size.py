"""The largest absolute value is subtracted.

Where logits are negative this is not the maximum, but the size of the minimum: all exponentials become zero. Minus
infinity has an infinite size.
"""


def largest(logits):
    return logits.abs().amax(dim=-1, keepdim=True)
