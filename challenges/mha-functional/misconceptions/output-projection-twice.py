"""The output projection is applied twice.

One multiplication with out_proj_weight.T is enough. Look for a second one, perhaps in a helper.
"""


def project_output(merged, out_proj_weight):
    return project(project(merged, out_proj_weight), out_proj_weight)
