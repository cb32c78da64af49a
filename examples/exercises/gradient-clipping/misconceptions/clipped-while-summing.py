"""Gradients are scaled before all of them are known.

The loop compares what it has added up so far. Go through all parameters for the norm first, and through them again for the scaling.
"""


def clip_gradients(parameters, max_norm, eps=1e-6):
    seen = []
    for gradient in gradients_of(parameters):
        seen.append(gradient)
        norm = norm_of(seen)
        if is_too_large(norm, max_norm):
            scale([gradient], factor(norm, max_norm, eps))
