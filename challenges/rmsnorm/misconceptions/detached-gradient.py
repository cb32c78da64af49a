"""The root mean square is left out of the gradient.

The values are right, but the gradient treats the root mean square as a constant, although it changes with x. Look for
`detach()`, `.data`, `.item()` or `torch.no_grad()` around it, or, if you wrote the backward pass yourself, for a
missing term.
"""


def normalise(x, eps):
    return x / root(mean_square(x), eps).detach()
