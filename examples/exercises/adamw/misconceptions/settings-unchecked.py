"""Settings that make no sense are accepted.

A negative learning rate, or a beta of 1, does no harm before the first step, and then trains nothing or divides by zero. Raise ValueError in the constructor.
"""


def checked(lr, betas, eps, weight_decay):
    pass
