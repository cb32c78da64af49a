"""The mask is changed.

The mask belongs to the caller, who needs it again in the next layer. A method whose name ends in an underscore changes
it for everyone who uses it. Create a new tensor instead.
"""


def read_mask(mask):
    return mask.logical_not_() == 0
