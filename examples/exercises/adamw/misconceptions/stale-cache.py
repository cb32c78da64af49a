"""All optimisers share their averages.

What is kept in the class, or in the module, is one for all objects. Make it in the constructor.
"""

SHARED = {}


def state_of(optimiser, place, parameter):
    return SHARED.setdefault(place, begun(parameter))
