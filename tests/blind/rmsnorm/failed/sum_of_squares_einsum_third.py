"""RMSNorm with the energy taken by einsum.

Wrong: the sum of the squares is used where their mean belongs.
Condition: d_model above 1.
Spec: "The mean of the squares, not their sum: a longer vector must not come out smaller."
"""

import torch


def rmsnorm(activations, gain, epsilon=1e-5):
    a = activations.double()
    energy = torch.einsum("...d,...d->...", a, a)
    inverse = (energy + epsilon).pow(-0.5)
    return torch.einsum("...d,...,d->...d", a, inverse, gain.double()).to(activations.dtype)
