"""The gradient of each share takes only its own number into account.

y * (1 - y) is the slope of a share by its own number. Every share also depends on all the other numbers of its row,
with the slope -y_i * y_j.
"""


class _Alone(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, dim):
        y = share(exponentials(shift(x, dim)), dim)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, gradient):
        (y,) = ctx.saved_tensors
        return gradient * y * (1 - y), None


def softmax(x, dim):
    return narrow(_Alone.apply(widen(x), dim), x)
