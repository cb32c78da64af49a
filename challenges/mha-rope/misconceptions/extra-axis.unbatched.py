"""A single sequence comes back with a batch axis.

A batch axis was added to an input without one for the computation, and never removed. The output has the shape of
in_features.
"""


def project_output(merged, o_proj_weight):
    return project(merged, o_proj_weight)[None] if merged.dim() == 2 else project(merged, o_proj_weight)
