"""The result has an axis of length 1.

The loss is a tensor of shape (), as `.mean()` without arguments gives it.
"""


def narrow(loss, logits):
    return loss.reshape(1).to(logits.dtype)
