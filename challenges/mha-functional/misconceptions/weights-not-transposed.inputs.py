"""The weights of queries, keys and values are used untransposed.

Weights are stored (out, in), so the projection is x @ W.T, as you already do for the output. Each block is square, so
the shapes match either way.
"""


def project_inputs(q, k, v, in_proj_weight):
    return tuple(x @ weight for x, weight in zip((q, k, v), split_in_proj(in_proj_weight), strict=True))
