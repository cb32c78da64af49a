"""What lies beyond three standard deviations is moved to the limit.

clamp puts all such numbers at the same two places. Draw them again, as trunc_normal_ does.
"""


def draw(weight, std):
    return weight.normal_(0.0, std).clamp_(-3 * std, 3 * std)
