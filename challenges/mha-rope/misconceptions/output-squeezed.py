"""Axes of size 1 are dropped from the output.

squeeze() without an axis removes every axis of size 1: a batch of one, a single token. The output has the shape of
in_features.
"""


def project_output(merged, o_proj_weight):
    return project(merged, o_proj_weight).squeeze()
