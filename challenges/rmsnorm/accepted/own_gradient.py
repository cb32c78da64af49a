"""An autograd.Function with the backward pass written out."""

import torch


class Norm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, eps):
        wide = x.to(torch.promote_types(x.dtype, torch.float32))
        scale = torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps)
        ctx.save_for_backward(wide, weight, scale)
        ctx.dtype = x.dtype
        return (wide * scale * weight).to(x.dtype)

    @staticmethod
    def backward(ctx, grad):
        x, weight, scale = ctx.saved_tensors
        weighed = grad * weight
        grad_x = scale * (weighed - x * scale**2 * (weighed * x).mean(-1, keepdim=True))
        grad_weight = (grad * x * scale).flatten(0, -2).sum(0) if x.dim() > 1 else grad * x * scale
        return grad_x.to(ctx.dtype), grad_weight.to(weight.dtype), None


def rmsnorm(x, weight, eps=1e-5):
    return Norm.apply(x, weight, eps)
