"""The output has one axis too many.

An axis of size 1 was added in front, for a single sequence or for a library that needs one, and never removed. The
output has the shape of in_features.
"""


def project_output(merged, o_proj_weight):
    return project(merged, o_proj_weight)[None]
