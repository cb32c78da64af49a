"""The scaled gradients are new tensors.

Whoever holds a gradient's tensor, as an optimiser or a log may, sees nothing of them. Change the tensor that is there.
"""


def clip_gradients(parameters, max_norm, eps=1e-6):
    parameters = list(parameters)
    norm = norm_of(gradients_of(parameters))
    if is_too_large(norm, max_norm):
        for parameter in parameters:
            if parameter.grad is not None:
                parameter.grad = parameter.grad * factor(norm, max_norm, eps)
