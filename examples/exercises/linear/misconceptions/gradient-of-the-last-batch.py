"""The gradient of the weight takes only the first of the leading axes' entries.

Every vector contributes to the gradient of the weight. If you write the backward pass yourself, sum over all leading
axes.
"""


class _First(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return x @ weight.T

    @staticmethod
    def backward(ctx, gradient):
        x, weight = ctx.saved_tensors
        one, of_one = (x[0], gradient[0]) if x.dim() > 1 else (x, gradient)
        summed = of_one.reshape(-1, gradient.shape[-1]).T @ one.reshape(-1, x.shape[-1])
        return gradient @ weight, summed


def applied(x, weight):
    return _First.apply(x, weight)
