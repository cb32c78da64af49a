"""RMSNorm as an autograd function that keeps only x and weight, and computes the scale again in the backward.

Wrong: the backward takes the squares for the gradient of x in the dtype of x.
Condition: the gradient of x in float16 with values from 256 on; values and the gradient of weight are right.
Spec: "Squares and their mean are taken in float32 at least" / "Values and gradients against a float64 reference"
"""

import torch


class _Norm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, eps):
        acc = torch.promote_types(x.dtype, torch.float32)
        h = x.to(acc)
        ctx.save_for_backward(x, weight)
        ctx.eps, ctx.acc = eps, acc
        return (h * torch.rsqrt(h.square().mean(-1, keepdim=True) + eps) * weight.to(acc)).to(x.dtype)

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        acc, gx, gw = ctx.acc, None, None
        g, h = grad.to(acc), x.to(acc)
        if ctx.needs_input_grad[0]:
            inv = torch.rsqrt((x * x).to(acc).mean(-1, keepdim=True) + ctx.eps)
            gu, u = g * weight.to(acc), h * inv
            gx = (inv * (gu - u * (gu * u).mean(-1, keepdim=True))).to(x.dtype)
        if ctx.needs_input_grad[1]:
            inv = torch.rsqrt(h.square().mean(-1, keepdim=True) + ctx.eps)
            gw = (g * h * inv).reshape(-1, x.shape[-1]).sum(0).to(weight.dtype)
        return gx, gw, None


def rmsnorm(x, weight, eps=1e-5):
    return _Norm.apply(x, weight, eps)
