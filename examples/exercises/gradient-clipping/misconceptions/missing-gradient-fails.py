"""A parameter without a gradient is an error.

`None` has no square. Layers that a batch did not use have no gradient, and are left alone.
"""


def gradients_of(parameters):
    return [parameter.grad for parameter in parameters]
