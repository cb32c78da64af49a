"""The library's own."""

import torch


def clip_gradients(parameters, max_norm, eps=1e-6):
    torch.nn.utils.clip_grad_norm_(list(parameters), max_norm)
