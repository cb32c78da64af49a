"""eps is added before the average of the squares is corrected.

Then eps is divided by the correction together with the root, and is much larger in the first steps. Correct the average, take its root, and add eps last.
"""


def train(parameter, gradient, state, lr, betas, eps, weight_decay):
    first, second = betas
    count_step(state)
    decay(parameter, lr, weight_decay)
    update_mean(state, gradient, first)
    update_square(state, gradient, second)
    mean = corrected(state["mean"], first, state["count"])
    root = (1 - second ** state["count"]) ** 0.5
    parameter.sub_(lr * mean / ((state["square"].sqrt() + eps) / root))
