"""There is no softmax.

Raw scores are not weights: they may be negative, and they do not sum to one. The softmax over the keys comes between
the scaled scores and the sum of the values.
"""


def softmax(scores):
    return scores
