"""The output projection is missing.

Concatenated heads do not interact until W_O mixes them: the result is merged @ W_O.T.
"""


def project_output(merged, o_proj_weight):
    return merged
