"""Settings that make no sense are accepted.

A beta of 1 never forgets, and makes the bias correction divide by zero. The betas are below 1, and not below 0.
"""


def checked(lr, betas, eps, weight_decay):
    if lr < 0 or eps < 0 or weight_decay < 0:
        raise ValueError("negative")
