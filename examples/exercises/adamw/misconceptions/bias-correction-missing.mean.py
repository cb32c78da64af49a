"""The averages are not corrected for beginning at zero.

You correct the average of the squares, but not that of the gradient: the first steps are much too small.
"""


def train(parameter, gradient, state, lr, betas, eps, weight_decay):
    first, second = betas
    count_step(state)
    decay(parameter, lr, weight_decay)
    update_mean(state, gradient, first)
    update_square(state, gradient, second)
    move(parameter, state["mean"], corrected(state["square"], second, state["count"]), lr, eps)
