"""Without any gradient it raises an error.

There may be no parameter, or none that has a gradient: nothing is to be done then. What you stack, or join, may be an empty list.
"""


def norm_of(gradients):
    return torch.stack([squares(gradient) for gradient in gradients]).sum() ** 0.5
