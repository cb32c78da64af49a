"""The scores are scaled by the root of d_in over num_heads.

d_in is the width of x; queries and keys have left it behind. The heads share d_out, so the width of a head is d_out
// num_heads, and its root is the scale.
"""


def scale(scores, layer):
    return scores / math.sqrt(layer.W_query.in_features / (scores.shape[1] if scores.dim() == 4 else 1))
