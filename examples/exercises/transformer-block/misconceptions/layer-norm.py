"""The norm takes off the mean: that is LayerNorm.

RMSNorm divides by the root of the mean square, and moves nothing.
"""


def rms_norm(x, weight, eps):
    centred = x - x.mean(dim=-1, keepdim=True)
    return centred / torch.sqrt(mean_square(centred) + eps) * weight
