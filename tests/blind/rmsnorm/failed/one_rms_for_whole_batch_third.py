"""RMSNorm in a class, with one scale.

Wrong: one root mean square is taken over all elements of x.
Condition: more than one vector.
Spec: "One root mean square for each vector, not for each batch"
"""

import torch


class Norm:
    def __init__(self, eps):
        self.eps = eps

    def rms(self, t):
        return (t.square().mean() + self.eps).sqrt()

    def __call__(self, t, w):
        return t / self.rms(t) * w


def rmsnorm(x, weight, eps=1e-5):
    acc = torch.promote_types(x.dtype, torch.float32)
    return Norm(eps)(x.to(acc), weight.to(acc)).to(x.dtype)
