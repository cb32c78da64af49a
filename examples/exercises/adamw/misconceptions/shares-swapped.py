"""The old average and the new gradient have each other's share.

beta is the share of what was there before, near one; 1 - beta is the share of the new gradient.
"""


def update_mean(state, gradient, beta):
    state["mean"] = (1 - beta) * state["mean"] + beta * gradient
