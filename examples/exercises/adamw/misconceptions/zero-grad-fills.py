"""zero_grad fills gradients with zeros.

A gradient of zeros is a gradient: the next step would decay the parameter and count. Set it to None.
"""


def forget(parameter):
    parameter.grad = torch.zeros_like(parameter)
