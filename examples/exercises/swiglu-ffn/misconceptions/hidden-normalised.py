"""The gated features are normalised.

The normalisation of a block stands before the layer, and is not part of it.
"""


def down(features, w2):
    return project(features / features.norm(dim=-1, keepdim=True).clamp(min=1e-6), w2)
