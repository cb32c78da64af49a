"""All parameters have one count of steps.

It goes up for each parameter in turn, so the second one is a step ahead of the first. Each parameter needs a count of its own.
"""


def state_of(optimiser, place, parameter):
    if place not in optimiser.states:
        optimiser.states[place] = begun(parameter)
    optimiser.shared = getattr(optimiser, "shared", 0) + 1
    optimiser.states[place]["count"] = optimiser.shared - 1
    return optimiser.states[place]
