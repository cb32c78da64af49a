"""The output is always float32.

Who calls in float64 wants float64 back. Tables may be float32; the result takes the dtype of in_features.
"""


def project_output(merged, o_proj_weight):
    return project(merged, o_proj_weight).float()
