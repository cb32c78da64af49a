"""forward returns a pair.

A layer returns one Tensor with the shape of x. Only scaled_dot_product_attention also returns the weights; callers of
the layer do not expect them.
"""


def project_output(module, x):
    return module.out_proj(x), x
