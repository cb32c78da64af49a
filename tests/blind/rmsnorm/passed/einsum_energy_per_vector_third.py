"""RMSNorm where the energy of each vector and the final product are both einsums."""

import torch


def rmsnorm(activations, gain, epsilon=1e-5):
    d_model = activations.shape[-1]
    a = activations.double()
    energy = torch.einsum("...d,...d->...", a, a)
    inverse = (energy / d_model + epsilon).pow(-0.5)
    out = torch.einsum("...d,...,d->...d", a, inverse, gain.double())
    return out.to(activations.dtype)
