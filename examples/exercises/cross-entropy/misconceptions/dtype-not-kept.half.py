"""The loss of half precision is float32.

Computing in float32 is right, but the loss has the dtype of the logits. Convert it back at the end.
"""


def narrow(loss, logits):
    return loss
