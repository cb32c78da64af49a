"""No gradient reaches anything.

The values are right, but the result has no history, so nothing can be trained through it. Look for `torch.no_grad()`,
or for a `detach()` at the end.
"""


def narrow(y, x):
    return y.detach().to(x.dtype)
