"""RMSNorm as in Gemma.

Wrong: the factor of a feature is 1 + weight.
When: every call.
Spec: «each feature gets a learned weight» (the formula: y_i = x_i / rms(x) * weight_i)
"""
import torch


class GemmaNorm:
    def __init__(self, eps):
        self.eps = eps

    def _norm(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)

    def forward(self, x, weight):
        output = self._norm(x.float())
        output = output * (1.0 + weight.float())
        return output.type_as(x)


def rmsnorm(x, weight, eps=1e-5):
    return GemmaNorm(eps).forward(x, weight)
