"""RMSNorm as an autograd function with a hand-written backward.

Wrong: the gradient of the weight is averaged over the vectors, not summed.
Condition: the gradient of weight with more than one vector.
Spec: "Values and gradients against a float64 reference"
"""

import torch


class Norm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, eps):
        acc = torch.promote_types(x.dtype, torch.float32)
        h = x.to(acc)
        inv = torch.rsqrt(h.square().mean(-1, keepdim=True) + eps)
        ctx.save_for_backward(x, weight, inv)
        return (h * inv * weight.to(acc)).to(x.dtype)

    @staticmethod
    def backward(ctx, grad):
        x, weight, inv = ctx.saved_tensors
        g, u = grad.to(inv.dtype), x.to(inv.dtype) * inv
        gu = g * weight.to(inv.dtype)
        gx = inv * (gu - u * (gu * u).mean(-1, keepdim=True))
        gw = (g * u).reshape(-1, u.shape[-1]).mean(0)
        return gx.to(x.dtype), gw.to(weight.dtype), None


def rmsnorm(x, weight, eps=1e-5):
    return Norm.apply(x, weight, eps)
