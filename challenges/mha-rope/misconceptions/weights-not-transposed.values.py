"""The value weights are used untransposed.

Three of the four projections are right, but this one is x @ W instead of x @ W.T. With square weights the shapes match
either way, so nothing warns you: compare the four lines.
"""


def project_qkv(x, q_proj_weight, k_proj_weight, v_proj_weight):
    return project(x, q_proj_weight), project(x, k_proj_weight), x @ v_proj_weight
