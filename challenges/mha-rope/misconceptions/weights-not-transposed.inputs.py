"""The weights of queries, keys and values are used untransposed.

The output projection is right, but the other three are x @ W instead of x @ W.T. Weights are stored (out, in), all four
of them; with square weights the shapes agree either way, so nothing warns you.
"""


def project_qkv(x, q_proj_weight, k_proj_weight, v_proj_weight):
    return x @ q_proj_weight, x @ k_proj_weight, x @ v_proj_weight
