"""Each gradient is clipped by itself.

Then long gradients are shortened and short ones are not, and the step goes in another direction. Take one norm over all parameters, and multiply all of them by one factor.
"""


def clip_gradients(parameters, max_norm, eps=1e-6):
    for gradient in gradients_of(parameters):
        norm = norm_of([gradient])
        if is_too_large(norm, max_norm):
            scale([gradient], factor(norm, max_norm, eps))
