"""The weight decay is added to the gradient.

Then it passes through both averages and is divided by the root of the second, so that parameters with large gradients decay less. That is Adam with L2
regularisation. In AdamW the decay touches the parameter alone.
"""


def decay(parameter, lr, weight_decay):
    pass


def train(parameter, gradient, state, lr, betas, eps, weight_decay):
    first, second = betas
    gradient = gradient + weight_decay * parameter
    count_step(state)
    update_mean(state, gradient, first)
    update_square(state, gradient, second)
    mean = corrected(state["mean"], first, state["count"])
    square = corrected(state["square"], second, state["count"])
    move(parameter, mean, square, lr, eps)
