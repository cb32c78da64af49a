"""A tuple is returned.

Return the loss alone. Callers do not expect other things that you computed.
"""


def cross_entropy(logits, targets):
    of_positions = losses(shift(widen(logits)), targets)
    return narrow(average(of_positions), logits), of_positions
