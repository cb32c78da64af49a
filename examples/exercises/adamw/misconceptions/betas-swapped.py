"""The two betas are exchanged.

The first belongs to the average of the gradient, the second to the average of its square.
"""


def train(parameter, gradient, state, lr, betas, eps, weight_decay):
    second, first = betas
    count_step(state)
    decay(parameter, lr, weight_decay)
    update_mean(state, gradient, first)
    update_square(state, gradient, second)
    mean = corrected(state["mean"], first, state["count"])
    square = corrected(state["square"], second, state["count"])
    move(parameter, mean, square, lr, eps)
