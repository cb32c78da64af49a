"""The result is always float64.

The loss has the dtype of the logits. Convert to it at the end.
"""


def narrow(loss, logits):
    return loss.double()
