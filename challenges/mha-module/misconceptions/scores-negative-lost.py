"""Scores below zero are lost.

A relu, or abs(), in front of the softmax: a score may be negative, and says then that a key fits badly. Take the scores as they
are.
"""

EACH = {"set to zero": True, "made positive": False}


def scale(scores, layer):
    scores = scores / math.sqrt(layer.head_dim)
    return scores.relu() if each else scores.abs()
