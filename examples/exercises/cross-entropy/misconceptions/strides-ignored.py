"""{each} are read as if they were contiguous.

A transposed or expanded tensor is not stored in memory in the order of its axes. `as_strided`, `data_ptr` and the
untyped storage show that order: read tensors by their axes.
"""

EACH = {"Logits": 0, "Targets": 1}


def cross_entropy(*both):
    both = list(both)
    of = both[each]
    both[each] = torch.as_strided(of, of.shape, torch.empty(of.shape, device="meta").stride())
    logits, targets = both
    return narrow(average(losses(shift(widen(logits)), targets)), logits)
