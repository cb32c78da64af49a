"""There are d_head heads of num_heads features.

The two sizes are swapped in the reshape. There are num_heads heads with d_head features each.
"""


def split_heads(x, num_heads):
    return x.unflatten(-1, (-1, num_heads)).transpose(-3, -2)


def scale(scores, d_head):
    return scores / math.sqrt(scores.shape[-3])
