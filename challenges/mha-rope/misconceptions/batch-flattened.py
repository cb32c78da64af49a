"""Several batch axes come back as one.

Folding them into one for the computation is fine, but they must be unfolded again at the end. The output has the shape
of in_features, so remember that shape.
"""


def project_output(merged, o_proj_weight):
    return project(merged, o_proj_weight).reshape(-1, *merged.shape[-2:])
