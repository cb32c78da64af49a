"""eps has a part in the comparison.

Where the norm is below max_norm by less than eps, gradients are shortened that are short enough. The norm alone is compared; eps belongs to the division.
"""


def clip_gradients(parameters, max_norm, eps=1e-6):
    gradients = gradients_of(parameters)
    norm = norm_of(gradients)
    if norm > 0 and is_too_large(norm + eps, max_norm):
        scale(gradients, factor(norm, max_norm, eps))
