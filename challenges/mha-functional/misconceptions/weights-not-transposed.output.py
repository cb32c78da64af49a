"""The output weights are used untransposed.

out_proj_weight is stored (out, in) like the others, so the result is merged @ W.T. It is square, so nothing warns you.
"""


def project_output(merged, out_proj_weight):
    return merged @ out_proj_weight
