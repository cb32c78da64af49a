"""The mask is inverted.

True means that a query may attend to this key. Your code hides the keys that it may see, and shows the others.
"""


def hide(scores, mask):
    return scores if mask is None else scores.masked_fill(mask, -1e9)
