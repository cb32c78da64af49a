"""The scores are divided by the root of d_out.

A score is computed inside one head, so its spread depends on head_dim, not on d_out. Dividing by the root of d_out
makes the softmax too flat.
"""


def scale(scores, layer):
    return scores / math.sqrt(layer.W_query.out_features)
