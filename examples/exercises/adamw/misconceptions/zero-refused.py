"""Zero is refused as a setting.

A learning rate of zero is how a warm-up begins, and a weight decay of zero is common. Only negative numbers are to be refused.
"""


def checked(lr, betas, eps, weight_decay):
    if lr <= 0 or eps <= 0 or weight_decay < 0 or not all(0 < beta < 1 for beta in betas):
        raise ValueError("must be positive")
