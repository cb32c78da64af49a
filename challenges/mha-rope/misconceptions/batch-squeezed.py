"""A batch of one loses its axis.

The output has the shape of in_features, even for a batch of one: (1, seq, d_model). Do not squeeze.
"""


def project_output(merged, o_proj_weight):
    y = project(merged, o_proj_weight)
    return y.squeeze(0) if y.dim() > 2 else y
