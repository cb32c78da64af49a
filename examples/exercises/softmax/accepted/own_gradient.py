"""With a backward pass of its own."""

import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        e = torch.exp(x.float() - x.float().amax(dim, keepdim=True))
        y = e * e.sum(dim, keepdim=True).reciprocal()
        ctx.dim = dim
        ctx.save_for_backward(y)
        return y.to(x.dtype)

    @staticmethod
    def backward(ctx, gradient):
        (y,) = ctx.saved_tensors
        weighted = y * gradient
        return (weighted - y * weighted.sum(ctx.dim, keepdim=True)).to(gradient.dtype), None


def softmax(x, dim):
    return Softmax.apply(x, dim)
