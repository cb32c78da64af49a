"""The averages add up gradients at full weight.

The average of the squares lacks the factor 1 - beta: it grows to many times the squared gradient, and the steps become too small.
"""


def update_square(state, gradient, beta):
    state["square"] = beta * state["square"] + gradient**2
