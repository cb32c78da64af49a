"""x is read as if it were contiguous.

A transposed or expanded x is not stored in memory in the order of its axes. `as_strided`, `data_ptr` and the untyped
storage show that order: read x by its axes.
"""


def applied(x, weight):
    return torch.as_strided(x, x.shape, torch.empty(x.shape, device="meta").stride()) @ weight.T
