"""{each} of one is dropped from the output.

squeeze takes an axis of size 1 away. The result always has three axes, (N, L_q, d_model).
"""

EACH = {"A batch": 0, "A sequence": 1}


def project_output(merged, out_proj_weight):
    return project(merged, out_proj_weight).squeeze(each)
