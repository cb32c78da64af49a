"""The step goes along the gradient, not along its average.

That is RMSProp. The first average is what smooths the direction from step to step.
"""


def update_mean(state, gradient, beta):
    state["mean"] = (1 - beta) * gradient
