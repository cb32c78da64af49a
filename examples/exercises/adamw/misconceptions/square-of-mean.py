"""The second average is of the squared average, not of the squared gradient.

What it should hold is how large the gradients themselves are, whatever their signs. Square the gradient before you average.
"""


def update_square(state, gradient, beta):
    state["square"] = beta * state["square"] + (1 - beta) * state["mean"] ** 2
