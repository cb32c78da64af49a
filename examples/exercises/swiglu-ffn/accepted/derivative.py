"""An autograd.Function with the derivative of SiLU written out."""

import torch


class SiLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z):
        s = torch.sigmoid(z)
        ctx.save_for_backward(z, s)
        return z * s

    @staticmethod
    def backward(ctx, gradient):
        z, s = ctx.saved_tensors
        return gradient * (s + z * s * (1 - s))


def swiglu_ffn(x, w1, w2, w3):
    return (SiLU.apply(x @ w1.T) * (x @ w3.T)) @ w2.T
