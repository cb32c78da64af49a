"""The gradient that comes in is ignored.

A loss may be scaled, or be one part of a larger one. In a backward pass of your own, multiply by the gradient that it
is given.
"""


class _Whole(torch.autograd.Function):
    @staticmethod
    def forward(ctx, loss):
        return loss.clone()

    @staticmethod
    def backward(ctx, gradient):
        return torch.ones_like(gradient)


def average(of_positions):
    return _Whole.apply(of_positions.mean())
