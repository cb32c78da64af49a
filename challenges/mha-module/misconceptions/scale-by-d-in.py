"""The scores are scaled by the width of the input.

d_in is the width of x; queries and keys have left it behind. A score sums over the head_dim features of a head,
and is divided by their root.
"""


def scale(scores, layer):
    return scores / math.sqrt(layer.W_query.in_features)
