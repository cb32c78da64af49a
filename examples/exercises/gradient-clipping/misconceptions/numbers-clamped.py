"""Each number is held between -max_norm and max_norm.

That is clipping by value, and it changes the direction of the step. Here all numbers are multiplied by one factor.
"""


def clip_gradients(parameters, max_norm, eps=1e-6):
    for gradient in gradients_of(parameters):
        gradient.clamp_(-max_norm, max_norm)
