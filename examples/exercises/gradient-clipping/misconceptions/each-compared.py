"""Each gradient is compared with max_norm by itself.

The factor comes from the norm of all of them, as it should, but short gradients are not multiplied by it. Compare the one norm once.
"""


def clip_gradients(parameters, max_norm, eps=1e-6):
    gradients = gradients_of(parameters)
    norm = norm_of(gradients)
    for gradient in gradients:
        if is_too_large(norm_of([gradient]), max_norm):
            scale([gradient], factor(norm, max_norm, eps))
