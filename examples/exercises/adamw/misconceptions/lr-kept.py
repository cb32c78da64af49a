"""The learning rate is that of the constructor for ever.

A schedule sets the attribute `lr` between steps; whatever you made of it in the constructor does not hear of that. Read it in each step.
"""


def rate(optimiser):
    optimiser.first_rate = getattr(optimiser, "first_rate", optimiser.lr)
    return optimiser.first_rate
