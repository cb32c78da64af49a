"""There is no softmax.

Raw scores are no weights: they may be negative, and a query's do not sum to one. Softmax over the keys comes between the
scaled scores and the sum of the values.
"""


def softmax(scores):
    return scores
