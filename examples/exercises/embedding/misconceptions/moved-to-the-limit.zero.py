"""What lies beyond 3 is set to zero.

All such numbers are at the same place then. Draw them again, as trunc_normal_ does.
"""


def draw(weight):
    values = weight.normal_()
    values[values.abs() > 3] = 0
    return values
