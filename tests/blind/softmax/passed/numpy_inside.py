"""A right softmax: forward and backward in NumPy, in float64, behind an autograd function."""
import numpy as np
import torch


def to_numpy(t):
    return t.detach().to(torch.float64).cpu().numpy()


class NumpySoftmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, axis):
        z = to_numpy(x)
        e = np.exp(z - z.max(axis=axis, keepdims=True))
        ctx.y, ctx.axis = e / e.sum(axis=axis, keepdims=True), axis
        return torch.from_numpy(ctx.y).to(x)

    @staticmethod
    def backward(ctx, grad):
        g = to_numpy(grad)
        inner = np.sum(g * ctx.y, axis=ctx.axis, keepdims=True)
        return torch.from_numpy(ctx.y * (g - inner)).to(grad), None


def softmax(x, dim):
    return NumpySoftmax.apply(x, dim)
