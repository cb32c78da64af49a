"""The output is always float32.

Who calls in float64 wants float64 back: the result takes the dtype of q.
"""


def project_output(merged, out_proj_weight):
    return project(merged, out_proj_weight).float()
