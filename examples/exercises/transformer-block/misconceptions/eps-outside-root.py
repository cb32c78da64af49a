"""eps is added after the root instead of under it.

Small vectors then come out much larger. Add it to the mean of the squares.
"""


def rms_norm(x, weight, eps):
    return x / (torch.sqrt(mean_square(x)) + eps) * weight
