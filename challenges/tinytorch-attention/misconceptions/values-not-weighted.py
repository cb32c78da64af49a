"""The values are averaged without using the weights.

Every value gets the same share, so the output does not depend on queries and keys. Multiply the weights by V.
"""


def mix(weights, V):
    return (weights * 0.0 + 1.0 / weights.shape[-1]) @ V
