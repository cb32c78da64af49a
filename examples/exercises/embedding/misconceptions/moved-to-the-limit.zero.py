"""What lies beyond 3 is moved to one place.

Set to zero, all such numbers are at one place. Draw them again, as trunc_normal_ does.
"""


def draw(weight):
    values = weight.normal_()
    values[values.abs() > 3] = 0
    return values
