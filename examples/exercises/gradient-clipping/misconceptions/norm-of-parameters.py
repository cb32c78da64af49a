"""The norm is that of the parameters.

How large the weights are has nothing to do with how large the step is. Take the squares of each `grad`.
"""


def clip_gradients(parameters, max_norm, eps=1e-6):
    parameters = list(parameters)
    norm = norm_of([each.detach() for each in parameters if each.grad is not None])
    if is_too_large(norm, max_norm):
        scale(gradients_of(parameters), factor(norm, max_norm, eps))
