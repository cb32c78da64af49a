"""A missing gradient becomes a gradient of zeros.

For an optimiser that is something else: it would make a step, decay included. Leave the parameter alone.
"""


def gradients_of(parameters):
    for parameter in parameters:
        if parameter.grad is None:
            parameter.grad = torch.zeros_like(parameter)
    return [parameter.grad for parameter in parameters]
