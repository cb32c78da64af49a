"""There is no weight decay.

Every step moves the parameter by its gradient alone. Look at the first of the three formulas.
"""


def decay(parameter, lr, weight_decay):
    pass
