"""The scores are divided by the root of d_in.

d_in is the width of x, but queries and keys are d_out wide. A score sums over the head_dim features of a head: divide
by the square root of head_dim.
"""


def scale(scores, layer):
    return scores / math.sqrt(layer.W_query.in_features)
