"""There is a sigmoid instead of a softmax.

A sigmoid turns each score into a number between 0 and 1, but these do not add up to 1. The softmax divides each query's
attention among the keys.
"""


def weigh(scores):
    return 1.0 / (1.0 + (-scores).exp())
