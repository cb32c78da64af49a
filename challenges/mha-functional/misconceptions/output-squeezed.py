"""Axes of size 1 are dropped from the output.

squeeze() without an axis removes every axis of size 1: a batch of one, a single query. The result always has three
axes, (N, L_q, d_model).
"""


def project_output(merged, out_proj_weight):
    return project(merged, out_proj_weight).squeeze()
