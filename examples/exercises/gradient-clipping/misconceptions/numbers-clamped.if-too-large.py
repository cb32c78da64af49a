"""Each number is held between -max_norm and max_norm.

You compare the norm as you should, and then cut off single numbers. That changes the direction of the step: multiply all numbers by one factor.
"""


def clip_gradients(parameters, max_norm, eps=1e-6):
    gradients = gradients_of(parameters)
    if is_too_large(norm_of(gradients), max_norm):
        for gradient in gradients:
            gradient.clamp_(-max_norm, max_norm)
