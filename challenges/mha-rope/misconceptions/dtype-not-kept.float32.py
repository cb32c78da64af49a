"""The output is always float32.

A caller who passes float64 expects float64 back. Tables may be float32; the result takes the dtype of in_features.
"""


def project_output(merged, o_proj_weight):
    return project(merged, o_proj_weight).float()
