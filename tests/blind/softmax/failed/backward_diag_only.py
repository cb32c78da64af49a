"""The hand-written gradient is y (1 - y) g, the diagonal of the Jacobian only."""
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
        return y * (1 - y) * g, None


def softmax(x, dim):
    """y_i = exp(x_i) / sum_j exp(x_j); the Jacobian is diag(y) - y y^T."""
    return _Softmax.apply(x, dim)
