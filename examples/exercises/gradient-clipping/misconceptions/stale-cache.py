"""Something is remembered between calls.

The norm of one step counts for the next ones. Compute it anew in each call.
"""

SEEN = []


def clip_gradients(parameters, max_norm, eps=1e-6):
    gradients = gradients_of(parameters)
    SEEN.append(norm_of(gradients))
    norm = max(SEEN)
    if is_too_large(norm, max_norm):
        scale(gradients, factor(norm, max_norm, eps))
