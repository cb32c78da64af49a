"""The scores are divided by the root of d_in / num_heads.

d_in is the width of x, but queries and keys are d_out wide. The heads share d_out, so the width of a head is d_out //
num_heads: divide by its square root.
"""


def scale(scores, layer):
    return scores / math.sqrt(layer.W_query.in_features / (scores.shape[1] if scores.dim() == 4 else 1))
