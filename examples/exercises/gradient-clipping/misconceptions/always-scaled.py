"""Gradients are scaled whatever their norm is.

Small gradients are then made longer, up to max_norm. Clipping only ever shortens.
"""


def is_too_large(norm, max_norm):
    return norm > 0
