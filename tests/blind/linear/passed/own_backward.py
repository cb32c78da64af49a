"""A right linear layer with a backward pass of its own, which works on rows of a flattened batch."""
import torch
from torch import nn


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return x.matmul(weight.transpose(0, 1))

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        grad_x = grad_weight = None
        if ctx.needs_input_grad[0]:
            grad_x = grad.matmul(weight)
        if ctx.needs_input_grad[1]:
            rows = grad.reshape(-1, weight.shape[0])
            grad_weight = rows.mT @ x.reshape(-1, weight.shape[1])
        return grad_x, grad_weight


class Linear(nn.Module):
    """y = W x."""

    def __init__(self, in_features: int, out_features: int, device=None, dtype=None) -> None:
        super().__init__()
        kwargs = {"device": device, "dtype": dtype}
        self.weight = nn.Parameter(torch.empty((out_features, in_features), **kwargs))
        self.reset_parameters()

    @torch.no_grad()
    def reset_parameters(self) -> None:
        fan_out, fan_in = self.weight.shape
        std = (2.0 / (fan_in + fan_out)) ** 0.5
        fresh = nn.init.trunc_normal_(torch.empty(fan_out, fan_in), 0.0, std, -3 * std, 3 * std)
        self.weight.copy_(fresh)

    def forward(self, x):
        return Product.apply(x, self.weight)
