"""Divides before it takes the exponential, by subtracting the logarithm of the sum."""

import torch


def log_sum_exp(z, axis):
    top = z.amax(axis, keepdim=True)
    return top + (z - top).exp().sum(axis, keepdim=True).log()


def softmax(values, axis):
    z = values.float()
    return torch.exp(z - log_sum_exp(z, axis)).to(values.dtype)
