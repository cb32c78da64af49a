"""The parameters are scaled, and not their gradients.

Clipping must not change the model; the optimiser does that. Multiply each `grad`.
"""


def clip_gradients(parameters, max_norm, eps=1e-6):
    parameters = list(parameters)
    norm = norm_of(gradients_of(parameters))
    if is_too_large(norm, max_norm):
        scale([each.detach() for each in parameters if each.grad is not None], factor(norm, max_norm, eps))
