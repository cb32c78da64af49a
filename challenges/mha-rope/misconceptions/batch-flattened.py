"""Several batch axes come back as one.

Folding them into one for the computation is fine; at the end they have to be unfolded again. The output has the shape
of in_features, so keep its shape from before.
"""


def project_output(merged, o_proj_weight):
    return project(merged, o_proj_weight).reshape(-1, *merged.shape[-2:])
