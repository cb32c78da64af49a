"""A torch.autograd.Function with the gradient worked out by hand, which computes only what needs_input_grad asks for."""

import torch


class RMSNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, eps):
        wide = x if x.dtype == torch.float64 else x.float()
        inverse = (wide.square().mean(-1, keepdim=True) + eps).rsqrt()
        ctx.save_for_backward(x, weight, inverse)
        return (wide * inverse * weight).to(x.dtype)

    @staticmethod
    def backward(ctx, grad):
        x, weight, inverse = ctx.saved_tensors
        unit = x.to(inverse.dtype) * inverse
        grad = grad.to(inverse.dtype)
        grad_x = grad_weight = None
        if ctx.needs_input_grad[0]:
            scaled = grad * weight
            grad_x = (inverse * (scaled - unit * (scaled * unit).mean(-1, keepdim=True))).to(x.dtype)
        if ctx.needs_input_grad[1]:
            grad_weight = (grad * unit).reshape(-1, x.shape[-1]).sum(0).to(weight.dtype)
        return grad_x, grad_weight, None


def rmsnorm(x, weight, eps=1e-5):
    return RMSNorm.apply(x, weight, float(eps))
