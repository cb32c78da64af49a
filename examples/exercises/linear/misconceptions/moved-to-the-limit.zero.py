"""What lies beyond three standard deviations is moved to one place.

Set to zero, all such numbers are at one place. Draw them again, as trunc_normal_ does.
"""


def draw(weight, std):
    values = weight.normal_(0.0, std)
    values[values.abs() > 3 * std] = 0
    return values
