"""A parameter without a gradient decays.

The decay belongs to the step of a parameter, and one that has no gradient makes no step.
"""


def trained(optimiser):
    for parameter in optimiser.params:
        if parameter.grad is None:
            decay(parameter, rate(optimiser), optimiser.weight_decay)
    return [(place, each) for place, each in enumerate(optimiser.params) if each.grad is not None]
