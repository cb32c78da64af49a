"""What lies beyond 3 is moved to the limit.

clamp puts all such numbers at the same two places. Draw them again, as trunc_normal_ does.
"""


def draw(weight):
    return weight.normal_().clamp_(-3, 3)
