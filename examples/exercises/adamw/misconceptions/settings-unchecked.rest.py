"""Settings that make no sense are accepted.

You check the betas alone. A negative learning rate, eps or weight decay makes no sense either.
"""


def checked(lr, betas, eps, weight_decay):
    if not all(0 <= beta < 1 for beta in betas):
        raise ValueError("beta")
