"""A batch of one loses its axis.

The output has the shape of x, even for a single sequence: (1, seq, embed_dim). Do not squeeze.
"""


def project_output(module, x):
    y = module.out_proj(x)
    return y.reshape(*y.shape[1:]) if y.shape[0] == 1 else y
