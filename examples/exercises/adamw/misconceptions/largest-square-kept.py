"""The step is divided by the largest average of squares so far.

That is the variant AMSGrad. Here the average as it is now counts, so that steps grow again when gradients become smaller.
"""


def update_square(state, gradient, beta):
    state["square"] = torch.maximum(state["square"], beta * state["square"] + (1 - beta) * gradient**2)
