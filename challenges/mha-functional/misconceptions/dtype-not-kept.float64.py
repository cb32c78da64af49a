"""The output is always float64.

Who calls in float32 wants float32 back: the result takes the dtype of q.
"""


def project_output(merged, out_proj_weight):
    return project(merged, out_proj_weight).double()
