"""The result is divided by the root of the number of inputs.

The first values keep the activations at their size: nothing is scaled in the call.
"""


def applied(x, weight):
    return x @ weight.T / x.shape[-1] ** 0.5
