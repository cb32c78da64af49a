"""The numbers are divided by their sum without an exponential.

Negative numbers would have negative shares. exp makes every number positive first.
"""


def softmax(x, dim):
    return narrow(share(widen(x), dim), x)
