"""The hand-written gradient sums along the last axis instead of dim."""
import torch


class _Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        e = (x - torch.amax(x, dim, keepdim=True)).exp_()
        e.div_(e.sum(dim, keepdim=True))
        ctx.dim = dim
        ctx.save_for_backward(e)
        return e

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        inner = (g * y).sum(-1, keepdim=True)
        return y * (g - inner), None


def softmax(x, dim):
    """y_i = exp(x_i) / sum_j exp(x_j); the Jacobian is diag(y) - y y^T."""
    return _Softmax.apply(x, dim)
