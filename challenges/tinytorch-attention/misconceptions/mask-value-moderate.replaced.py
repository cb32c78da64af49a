"""Hidden scores become {each}, which is not low enough.

That is enough for small scores. When visible scores are even lower, hidden keys get all of the attention. Use a value
that no score comes near, such as -1e9.
"""

EACH = {"minus 1": -1.0, "minus 10": -10.0, "minus 100": -100.0}


def hide(scores, mask):
    return scores if mask is None else scores * mask + (1.0 - mask.data) * each
