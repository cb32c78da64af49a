"""What lies beyond three standard deviations is moved to one place.

clamp puts all such numbers at the limits, and an assignment at a number of its own. Draw them again, as trunc_normal_
does.
"""


def draw(weight, std):
    return weight.normal_(0.0, std).clamp_(-3 * std, 3 * std)
