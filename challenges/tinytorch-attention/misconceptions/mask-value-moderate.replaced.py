"""Hidden scores become {each}, and that is not far enough below.

That is enough for small scores. Where visible scores are lower still, what should be hidden gets all of the attention.
Take a value that no score comes near, such as -1e9.
"""

EACH = {"minus 1": -1.0, "minus 10": -10.0, "minus 100": -100.0}


def hide(scores, mask):
    return scores if mask is None else scores * mask + (1.0 - mask.data) * each
