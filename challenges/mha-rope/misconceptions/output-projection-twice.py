"""The output projection is applied twice.

W_O mixes the merged heads once. Doing it a second time gives the same shape, so nothing warns you.
"""


def project_output(merged, o_proj_weight):
    return project(project(merged, o_proj_weight), o_proj_weight)
