"""The second average is of absolute values.

Its root is taken later, so it must be an average of squares: with absolute values the step depends on the size of the gradients.
"""


def update_square(state, gradient, beta):
    state["square"] = beta * state["square"] + (1 - beta) * gradient.abs()
