"""There is no softmax.

Scores can be negative and of any size. The softmax makes shares of them, positive and adding up to 1 for each query, so
that the output is an average of the values.
"""


def weigh(scores):
    return scores
