"""The softmax runs over the queries.

Each query divides its attention among the keys: each row of weights sums to one, so the axis is the last one, dim=-1.
"""


def weigh(scores):
    return Softmax()(scores, dim=-2)
