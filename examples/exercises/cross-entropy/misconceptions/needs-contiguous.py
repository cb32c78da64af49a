"""{each} that are not contiguous are rejected.

view depends on how numbers lie in memory, and rejects many transposed and expanded tensors. reshape and flatten
accept any of them.
"""

EACH = {"Logits": 0, "Targets": 1}


def cross_entropy(*both):
    both[each].view(-1)
    logits, targets = both
    return narrow(average(losses(shift(widen(logits)), targets)), logits)
