"""RMSNorm with einsum, everything in float64."""

import torch


def rmsnorm(tokens, gain, epsilon=1e-5):
    t = tokens.double()
    energy = torch.einsum("...d,...d->...", t, t) / tokens.size(-1)
    scale = (energy + epsilon) ** -0.5
    return torch.einsum("...d,...,d->...d", t, scale, gain.double()).type_as(tokens)
