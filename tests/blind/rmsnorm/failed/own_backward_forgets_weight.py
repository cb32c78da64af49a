"""A hand-written backward that leaves the weight out of the gradient of x.

Idea: The backward pass of x does not multiply the incoming gradient by the weight.
Where: only the gradient of x
"""

import torch


class _Norm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, eps):
        h = x.to(torch.promote_types(x.dtype, torch.float32))
        inv = torch.rsqrt(h.square().mean(-1, keepdim=True) + eps)
        ctx.save_for_backward(x, weight, inv)
        return (h * inv * weight).to(x.dtype)

    @staticmethod
    def backward(ctx, g):
        x, weight, inv = ctx.saved_tensors
        n, g = x.to(inv.dtype) * inv, g.to(inv.dtype)
        gx = inv * (g - n * (g * n).mean(-1, keepdim=True))
        gw = (g * n).reshape(-1, n.shape[-1]).sum(0)
        return gx.to(x.dtype), gw.to(weight.dtype), None


def rmsnorm(x, weight, eps=1e-5):
    return _Norm.apply(x, weight, eps)
