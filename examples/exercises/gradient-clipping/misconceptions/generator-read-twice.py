"""The parameters are read twice.

A generator can be read once: after the loop for the norm nothing is left for the scaling. Keep a list.
"""


def clip_gradients(parameters, max_norm, eps=1e-6):
    norm = norm_of(gradients_of(parameters))
    if is_too_large(norm, max_norm):
        scale(gradients_of(parameters), factor(norm, max_norm, eps))
