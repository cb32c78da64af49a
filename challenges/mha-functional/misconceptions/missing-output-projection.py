"""The output projection is missing.

Concatenated heads do not interact until W_O mixes them: the result is merged @ out_proj_weight.T.
"""


def project_output(merged, out_proj_weight):
    return merged
