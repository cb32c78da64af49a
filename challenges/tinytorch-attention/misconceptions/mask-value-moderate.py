"""Hidden scores are not pushed down far enough.

A few tens or hundreds are enough for small scores. A large score is still the largest after that, so a hidden key gets
all of the attention. Use a value that no score comes near, such as -1e9.
"""


def hide(scores, mask):
    return scores if mask is None else scores + Tensor((1.0 - mask.data) * -100.0)
