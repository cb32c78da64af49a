"""Where one gradient is missing, nothing is clipped.

The others may be too long all the same. Leave out that parameter alone.
"""


def gradients_of(parameters):
    found = [parameter.grad for parameter in parameters]
    return [] if any(gradient is None for gradient in found) else found
