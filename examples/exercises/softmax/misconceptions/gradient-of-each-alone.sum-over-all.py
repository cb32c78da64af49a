"""The gradient sums over the whole tensor.

In the backward pass, what is subtracted is the sum of y times the incoming gradient along dim: each row has its own.
Yours runs over all axes.
"""


class _OverAll(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        y = share(exponentials(shift(x, dim)), dim)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, gradient):
        (y,) = ctx.saved_tensors
        return y * (gradient - (y * gradient).sum()), None


def softmax(x, dim):
    return narrow(_OverAll.apply(widen(x), dim), x)
