"""The scores are scaled by the number of heads.

Look at the shape that the size is read from: its last axis holds the features of a head. The number of heads
has nothing to do with the spread of a score.
"""


def scale(scores, layer):
    return scores / math.sqrt(layer.num_heads)
