"""eps has another default.

The default is 1e-6. A smaller one shows where gradients are small.
"""


def clip_gradients(parameters, max_norm, eps=1e-8):
    gradients = gradients_of(parameters)
    norm = norm_of(gradients)
    if is_too_large(norm, max_norm):
        scale(gradients, factor(norm, max_norm, eps))
