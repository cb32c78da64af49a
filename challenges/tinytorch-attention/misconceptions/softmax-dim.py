"""The softmax runs over the queries.

Each query shares out its attention among the keys: the rows of the score matrix add up to one, so the axis is the
last, dim=-1.
"""


def weigh(scores):
    return Softmax()(scores, dim=-2)
