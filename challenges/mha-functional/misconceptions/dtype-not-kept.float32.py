"""The output is always float32.

A caller who passes float64 expects float64 back: the result takes the dtype of q.
"""


def project_output(merged, out_proj_weight):
    return project(merged, out_proj_weight).float()
