"""The mask adds zero times infinity where it is 1.

(1 - mask) * -inf is -inf where the mask is 0, but where it is 1 it is zero times infinity, and that is NaN. Use a large
finite number such as -1e9, or choose with np.where.
"""


def hide(scores, mask):
    return scores if mask is None else scores + Tensor((1.0 - mask.data) * -math.inf)
