"""The output is always float64.

A caller who passes float32 expects float32 back: the result takes the dtype of q.
"""


def project_output(merged, out_proj_weight):
    return project(merged, out_proj_weight).double()
