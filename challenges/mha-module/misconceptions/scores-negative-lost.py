"""Scores below zero are lost.

There is a relu or an abs() before the softmax. A score may be negative: it says that a key matches poorly. Use the
scores as they are.
"""

EACH = {"set to zero": True, "made positive": False}


def scale(scores, layer):
    scores = scores / math.sqrt(layer.head_dim)
    return scores.relu() if each else scores.abs()
