"""{each} of one is dropped from the output.

squeeze removes an axis of size 1. The result always has three axes, (N, L_q, d_model).
"""

EACH = {"A batch": 0, "A sequence": 1}


def project_output(merged, out_proj_weight):
    return project(merged, out_proj_weight).squeeze(each)
