"""There is a sigmoid where the softmax belongs.

A sigmoid makes each score a number between 0 and 1, but they do not add up to 1. The softmax shares out each query's
attention among the keys.
"""


def weigh(scores):
    return 1.0 / (1.0 + (-scores).exp())
