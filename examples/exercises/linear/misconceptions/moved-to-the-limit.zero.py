"""What lies beyond three standard deviations is set to zero.

All such numbers are at the same place then. Draw them again, as trunc_normal_ does.
"""


def draw(weight, std):
    values = weight.normal_(0.0, std)
    values[values.abs() > 3 * std] = 0
    return values
