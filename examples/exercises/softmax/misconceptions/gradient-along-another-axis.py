"""The gradient sums along the {each} axis, not along dim.

The values are right. In the backward pass, what is subtracted is the sum of y times the incoming gradient along dim;
yours runs along the {each} axis.
"""

EACH = {"last": -1, "first": 0}


class _Along(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        y = share(exponentials(shift(x, dim)), dim)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, gradient):
        (y,) = ctx.saved_tensors
        return y * (gradient - (y * gradient).sum(dim=each, keepdim=True)), None


def softmax(x, dim):
    return narrow(_Along.apply(widen(x), dim), x)
