"""All parameters have one count of steps.

The count goes on for a parameter that had no gradient, or goes up several times in a step. Each parameter needs a count of its own, which goes up when it has a gradient.
"""


def state_of(optimiser, place, parameter):
    if place not in optimiser.states:
        optimiser.states[place] = begun(parameter)
    optimiser.shared = getattr(optimiser, "shared", 0) + (place == 0)
    optimiser.states[place]["count"] = optimiser.shared - 1
    return optimiser.states[place]


def trained(optimiser):
    with_gradient = [(place, each) for place, each in enumerate(optimiser.params) if each.grad is not None]
    if with_gradient and with_gradient[0][0] != 0:
        optimiser.shared = getattr(optimiser, "shared", 0) + 1
    return with_gradient
