"""The mask is changed.

The mask belongs to the caller, who needs it again in the next layer. A method that ends in an underscore, such as
logical_not_(), inverts it for everyone who uses it. Create a new tensor instead.
"""


def hide(scores, mask):
    return scores if mask is None else scores.masked_fill(mask.logical_not_(), -math.inf)
