"""The averages are not corrected for beginning at zero.

You correct the average of the gradient, but not that of the squares: the first steps are much too large.
"""


def train(parameter, gradient, state, lr, betas, eps, weight_decay):
    first, second = betas
    count_step(state)
    decay(parameter, lr, weight_decay)
    update_mean(state, gradient, first)
    update_square(state, gradient, second)
    move(parameter, corrected(state["mean"], first, state["count"]), state["square"], lr, eps)
