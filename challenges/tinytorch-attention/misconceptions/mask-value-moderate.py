"""Hidden scores are not pushed down far enough.

A few tens or hundreds are enough for small scores. A large score is still the largest after that, and what should be hidden
gets all of the attention. Take a value that no score comes near, such as -1e9.
"""


def hide(scores, mask):
    return scores if mask is None else scores + Tensor((1.0 - mask.data) * -100.0)
