"""Gradient clipping in named steps. Each is one decision that a student can get wrong."""

import torch


def gradients_of(parameters):
    """Those that are there, in a list: a generator can be read once."""
    return [parameter.grad for parameter in parameters if parameter.grad is not None]


def squares(gradient):
    """The sum of the squares of one gradient."""
    return (gradient**2).sum()


def norm_of(gradients):
    """One number for all of them, zero where there is none."""
    return sum(squares(gradient) for gradient in gradients) ** 0.5


def is_too_large(norm, max_norm):
    """At the limit nothing is to be done. eps has no part in it."""
    return norm > max_norm


def factor(norm, max_norm, eps):
    """Below 1, as the norm is larger than max_norm."""
    return max_norm / (norm + eps)


def scale(gradients, by):
    """In place."""
    for gradient in gradients:
        gradient.mul_(by)


def clip_gradients(parameters, max_norm, eps=1e-6):
    gradients = gradients_of(parameters)
    norm = norm_of(gradients)
    if is_too_large(norm, max_norm):
        scale(gradients, factor(norm, max_norm, eps))
