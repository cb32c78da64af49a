"""The weights of queries and keys are used untransposed.

Values and output are projected correctly, but queries and keys use x @ W instead of x @ W.T. With square weights the
shapes match either way, so nothing warns you: compare the four lines.
"""


def project_qkv(x, q_proj_weight, k_proj_weight, v_proj_weight):
    return x @ q_proj_weight, x @ k_proj_weight, project(x, v_proj_weight)
