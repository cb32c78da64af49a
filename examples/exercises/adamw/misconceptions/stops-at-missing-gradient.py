"""Parameters after one without a gradient are not trained.

The loop ends where it should go on with the next parameter.
"""


def trained(optimiser):
    found = []
    for place, each in enumerate(optimiser.params):
        if each.grad is None:
            break
        found.append((place, each))
    return found
