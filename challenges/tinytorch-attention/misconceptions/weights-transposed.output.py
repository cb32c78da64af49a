"""The weight of out_proj is transposed.

tinytorch's Linear stores its weight as (in_features, out_features), the opposite of PyTorch: use x @ weight, without a
transpose.
"""


def project_output(module, x):
    return x @ module.out_proj.weight.transpose() + module.out_proj.bias
